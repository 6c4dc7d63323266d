#!/usr/bin/env python3
"""Repeats the experiments of five papers: the command is in papers/__main__.py."""

from papers.__main__ import main

if __name__ == "__main__":
    main()
