def sweep():
    pass
