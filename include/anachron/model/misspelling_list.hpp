// Misspelt names of hooks, for model/misspellings.hpp: each list applies a macro. Made by
// tools/list_misspellings; do not edit.
#pragma once

// clang-format off

#define ANACHRON_MISSPELLINGS_OF_START(X, ...) \
  X(Start, start, __VA_ARGS__) X(sart, start, __VA_ARGS__) X(strt, start, __VA_ARGS__) \
  X(sstart, start, __VA_ARGS__) X(sttart, start, __VA_ARGS__) X(staart, start, __VA_ARGS__) \
  X(starrt, start, __VA_ARGS__) X(startt, start, __VA_ARGS__) X(tsart, start, __VA_ARGS__) \
  X(satrt, start, __VA_ARGS__) X(strat, start, __VA_ARGS__) X(statr, start, __VA_ARGS__)

#define ANACHRON_MISSPELLINGS_OF_FINISH(X, ...) \
  X(Finish, finish, __VA_ARGS__) X(finnish, finish, __VA_ARGS__) X(finalize, finish, __VA_ARGS__) \
  X(fnish, finish, __VA_ARGS__) X(fiish, finish, __VA_ARGS__) X(finsh, finish, __VA_ARGS__) \
  X(finih, finish, __VA_ARGS__) X(finis, finish, __VA_ARGS__) X(ffinish, finish, __VA_ARGS__) \
  X(fiinish, finish, __VA_ARGS__) X(finiish, finish, __VA_ARGS__) X(finissh, finish, __VA_ARGS__) \
  X(finishh, finish, __VA_ARGS__) X(ifnish, finish, __VA_ARGS__) X(fniish, finish, __VA_ARGS__) \
  X(fiinsh, finish, __VA_ARGS__) X(finsih, finish, __VA_ARGS__) X(finihs, finish, __VA_ARGS__)

#define ANACHRON_MISSPELLINGS_OF_COMMIT(X, ...) \
  X(Commit, commit, __VA_ARGS__) X(on_commit, commit, __VA_ARGS__) X(cmmit, commit, __VA_ARGS__) \
  X(comit, commit, __VA_ARGS__) X(commt, commit, __VA_ARGS__) X(commi, commit, __VA_ARGS__) \
  X(ccommit, commit, __VA_ARGS__) X(coommit, commit, __VA_ARGS__) X(commmit, commit, __VA_ARGS__) \
  X(commiit, commit, __VA_ARGS__) X(committ, commit, __VA_ARGS__) X(ocmmit, commit, __VA_ARGS__) \
  X(cmomit, commit, __VA_ARGS__) X(comimt, commit, __VA_ARGS__) X(commti, commit, __VA_ARGS__)

#define ANACHRON_MISSPELLINGS_OF_COUNT(X, ...) \
  X(Count, count, __VA_ARGS__) X(cunt, count, __VA_ARGS__) X(cout, count, __VA_ARGS__) \
  X(ccount, count, __VA_ARGS__) X(coount, count, __VA_ARGS__) X(couunt, count, __VA_ARGS__) \
  X(counnt, count, __VA_ARGS__) X(countt, count, __VA_ARGS__) X(ocunt, count, __VA_ARGS__) \
  X(cuont, count, __VA_ARGS__) X(conut, count, __VA_ARGS__) X(coutn, count, __VA_ARGS__)

#define ANACHRON_MISSPELLINGS_OF_LOAD(X, ...) \
  X(Load, load, __VA_ARGS__) X(lload, load, __VA_ARGS__) X(looad, load, __VA_ARGS__) \
  X(loaad, load, __VA_ARGS__) X(loadd, load, __VA_ARGS__) X(olad, load, __VA_ARGS__) \
  X(laod, load, __VA_ARGS__)

#define ANACHRON_MISSPELLINGS_OF_POSITION(X, ...) \
  X(Position, position, __VA_ARGS__) X(psition, position, __VA_ARGS__) X(poition, position, __VA_ARGS__) \
  X(postion, position, __VA_ARGS__) X(posiion, position, __VA_ARGS__) X(positon, position, __VA_ARGS__) \
  X(positin, position, __VA_ARGS__) X(positio, position, __VA_ARGS__) X(pposition, position, __VA_ARGS__) \
  X(poosition, position, __VA_ARGS__) X(possition, position, __VA_ARGS__) \
  X(posiition, position, __VA_ARGS__) X(posittion, position, __VA_ARGS__) \
  X(positiion, position, __VA_ARGS__) X(positioon, position, __VA_ARGS__) \
  X(positionn, position, __VA_ARGS__) X(opsition, position, __VA_ARGS__) X(psoition, position, __VA_ARGS__) \
  X(poistion, position, __VA_ARGS__) X(postiion, position, __VA_ARGS__) X(posiiton, position, __VA_ARGS__) \
  X(positoin, position, __VA_ARGS__) X(positino, position, __VA_ARGS__)

#define ANACHRON_MISSPELLINGS_OF_NEIGHBOURS(X, ...) \
  X(Neighbours, neighbours, __VA_ARGS__) X(neighbors, neighbours, __VA_ARGS__) \
  X(nighbours, neighbours, __VA_ARGS__) X(neghbours, neighbours, __VA_ARGS__) \
  X(neihbours, neighbours, __VA_ARGS__) X(neigbours, neighbours, __VA_ARGS__) \
  X(neighours, neighbours, __VA_ARGS__) X(neighburs, neighbours, __VA_ARGS__) \
  X(neighbous, neighbours, __VA_ARGS__) X(neighbour, neighbours, __VA_ARGS__) \
  X(nneighbours, neighbours, __VA_ARGS__) X(neeighbours, neighbours, __VA_ARGS__) \
  X(neiighbours, neighbours, __VA_ARGS__) X(neigghbours, neighbours, __VA_ARGS__) \
  X(neighhbours, neighbours, __VA_ARGS__) X(neighbbours, neighbours, __VA_ARGS__) \
  X(neighboours, neighbours, __VA_ARGS__) X(neighbouurs, neighbours, __VA_ARGS__) \
  X(neighbourrs, neighbours, __VA_ARGS__) X(neighbourss, neighbours, __VA_ARGS__) \
  X(enighbours, neighbours, __VA_ARGS__) X(nieghbours, neighbours, __VA_ARGS__) \
  X(negihbours, neighbours, __VA_ARGS__) X(neihgbours, neighbours, __VA_ARGS__) \
  X(neigbhours, neighbours, __VA_ARGS__) X(neighoburs, neighbours, __VA_ARGS__) \
  X(neighbuors, neighbours, __VA_ARGS__) X(neighborus, neighbours, __VA_ARGS__) \
  X(neighbousr, neighbours, __VA_ARGS__)

#define ANACHRON_MISSPELLINGS_OF_CLUSTER(X, ...) \
  X(Cluster, cluster, __VA_ARGS__) X(custer, cluster, __VA_ARGS__) X(clster, cluster, __VA_ARGS__) \
  X(cluter, cluster, __VA_ARGS__) X(cluser, cluster, __VA_ARGS__) X(clustr, cluster, __VA_ARGS__) \
  X(cluste, cluster, __VA_ARGS__) X(ccluster, cluster, __VA_ARGS__) X(clluster, cluster, __VA_ARGS__) \
  X(cluuster, cluster, __VA_ARGS__) X(clusster, cluster, __VA_ARGS__) X(clustter, cluster, __VA_ARGS__) \
  X(clusteer, cluster, __VA_ARGS__) X(clusterr, cluster, __VA_ARGS__) X(lcuster, cluster, __VA_ARGS__) \
  X(culster, cluster, __VA_ARGS__) X(clsuter, cluster, __VA_ARGS__) X(clutser, cluster, __VA_ARGS__) \
  X(clusetr, cluster, __VA_ARGS__) X(clustre, cluster, __VA_ARGS__)

#define ANACHRON_MISSPELLINGS_OF_LOOKAHEAD(X, ...) \
  X(Lookahead, lookahead, __VA_ARGS__) X(look_ahead, lookahead, __VA_ARGS__) \
  X(lookAhead, lookahead, __VA_ARGS__) X(lokahead, lookahead, __VA_ARGS__) \
  X(looahead, lookahead, __VA_ARGS__) X(lookhead, lookahead, __VA_ARGS__) \
  X(lookaead, lookahead, __VA_ARGS__) X(lookahad, lookahead, __VA_ARGS__) \
  X(lookahed, lookahead, __VA_ARGS__) X(lookahea, lookahead, __VA_ARGS__) \
  X(llookahead, lookahead, __VA_ARGS__) X(loookahead, lookahead, __VA_ARGS__) \
  X(lookkahead, lookahead, __VA_ARGS__) X(lookaahead, lookahead, __VA_ARGS__) \
  X(lookahhead, lookahead, __VA_ARGS__) X(lookaheead, lookahead, __VA_ARGS__) \
  X(lookaheaad, lookahead, __VA_ARGS__) X(lookaheadd, lookahead, __VA_ARGS__) \
  X(olokahead, lookahead, __VA_ARGS__) X(lokoahead, lookahead, __VA_ARGS__) \
  X(looakhead, lookahead, __VA_ARGS__) X(lookhaead, lookahead, __VA_ARGS__) \
  X(lookaehad, lookahead, __VA_ARGS__) X(lookahaed, lookahead, __VA_ARGS__) \
  X(lookaheda, lookahead, __VA_ARGS__)

#define ANACHRON_MISSPELLINGS_OF_FORESEE(X, ...) \
  X(Foresee, foresee, __VA_ARGS__) X(forsee, foresee, __VA_ARGS__) X(forsees, foresee, __VA_ARGS__) \
  X(foresees, foresee, __VA_ARGS__) X(fresee, foresee, __VA_ARGS__) X(foesee, foresee, __VA_ARGS__) \
  X(foreee, foresee, __VA_ARGS__) X(forese, foresee, __VA_ARGS__) X(fforesee, foresee, __VA_ARGS__) \
  X(fooresee, foresee, __VA_ARGS__) X(forresee, foresee, __VA_ARGS__) X(foreesee, foresee, __VA_ARGS__) \
  X(foressee, foresee, __VA_ARGS__) X(foreseee, foresee, __VA_ARGS__) X(ofresee, foresee, __VA_ARGS__) \
  X(froesee, foresee, __VA_ARGS__) X(foersee, foresee, __VA_ARGS__) X(forseee, foresee, __VA_ARGS__) \
  X(foreese, foresee, __VA_ARGS__)

#define ANACHRON_MISSPELLINGS_OF_MAY_STOP(X, ...) \
  X(mayStop, may_stop, __VA_ARGS__) X(MayStop, may_stop, __VA_ARGS__) X(maystop, may_stop, __VA_ARGS__) \
  X(can_stop, may_stop, __VA_ARGS__) X(my_stop, may_stop, __VA_ARGS__) X(ma_stop, may_stop, __VA_ARGS__) \
  X(may_top, may_stop, __VA_ARGS__) X(may_sop, may_stop, __VA_ARGS__) X(may_stp, may_stop, __VA_ARGS__) \
  X(may_sto, may_stop, __VA_ARGS__) X(mmay_stop, may_stop, __VA_ARGS__) X(maay_stop, may_stop, __VA_ARGS__) \
  X(mayy_stop, may_stop, __VA_ARGS__) X(may_sstop, may_stop, __VA_ARGS__) \
  X(may_sttop, may_stop, __VA_ARGS__) X(may_stoop, may_stop, __VA_ARGS__) \
  X(may_stopp, may_stop, __VA_ARGS__) X(amy_stop, may_stop, __VA_ARGS__) X(mya_stop, may_stop, __VA_ARGS__) \
  X(ma_ystop, may_stop, __VA_ARGS__) X(mays_top, may_stop, __VA_ARGS__) X(may_tsop, may_stop, __VA_ARGS__) \
  X(may_sotp, may_stop, __VA_ARGS__) X(may_stpo, may_stop, __VA_ARGS__)

#define ANACHRON_MISSPELLINGS_OF_PLOTS(X, ...) \
  X(Plots, plots, __VA_ARGS__) X(plts, plots, __VA_ARGS__) X(plos, plots, __VA_ARGS__) \
  X(plot, plots, __VA_ARGS__) X(pplots, plots, __VA_ARGS__) X(pllots, plots, __VA_ARGS__) \
  X(ploots, plots, __VA_ARGS__) X(plotts, plots, __VA_ARGS__) X(plotss, plots, __VA_ARGS__) \
  X(lpots, plots, __VA_ARGS__) X(polts, plots, __VA_ARGS__) X(pltos, plots, __VA_ARGS__) \
  X(plost, plots, __VA_ARGS__)

#define ANACHRON_MISSPELLINGS_OF_UNTIL(X, ...) \
  X(Until, until, __VA_ARGS__) X(unil, until, __VA_ARGS__) X(untl, until, __VA_ARGS__) \
  X(unti, until, __VA_ARGS__) X(uuntil, until, __VA_ARGS__) X(unntil, until, __VA_ARGS__) \
  X(unttil, until, __VA_ARGS__) X(untiil, until, __VA_ARGS__) X(untill, until, __VA_ARGS__) \
  X(nutil, until, __VA_ARGS__) X(utnil, until, __VA_ARGS__) X(unitl, until, __VA_ARGS__) \
  X(untli, until, __VA_ARGS__)

#define ANACHRON_MISSPELLINGS_OF_EXECUTION(X, ...) \
  X(Execution, execution, __VA_ARGS__) X(excecution, execution, __VA_ARGS__) \
  X(eecution, execution, __VA_ARGS__) X(excution, execution, __VA_ARGS__) \
  X(exeution, execution, __VA_ARGS__) X(exection, execution, __VA_ARGS__) \
  X(execuion, execution, __VA_ARGS__) X(executon, execution, __VA_ARGS__) \
  X(executin, execution, __VA_ARGS__) X(executio, execution, __VA_ARGS__) \
  X(eexecution, execution, __VA_ARGS__) X(exxecution, execution, __VA_ARGS__) \
  X(exeecution, execution, __VA_ARGS__) X(execcution, execution, __VA_ARGS__) \
  X(execuution, execution, __VA_ARGS__) X(executtion, execution, __VA_ARGS__) \
  X(executiion, execution, __VA_ARGS__) X(executioon, execution, __VA_ARGS__) \
  X(executionn, execution, __VA_ARGS__) X(xeecution, execution, __VA_ARGS__) \
  X(eexcution, execution, __VA_ARGS__) X(exceution, execution, __VA_ARGS__) \
  X(exeuction, execution, __VA_ARGS__) X(exectuion, execution, __VA_ARGS__) \
  X(execuiton, execution, __VA_ARGS__) X(executoin, execution, __VA_ARGS__) \
  X(executino, execution, __VA_ARGS__)

#define ANACHRON_MISSPELLINGS_OF_ENCODABLE_EVENTS(X, ...) \
  X(encodableEvents, encodable_events, __VA_ARGS__) X(EncodableEvents, encodable_events, __VA_ARGS__) \
  X(encodableevents, encodable_events, __VA_ARGS__) X(encodeable_events, encodable_events, __VA_ARGS__) \
  X(ecodable_events, encodable_events, __VA_ARGS__) X(enodable_events, encodable_events, __VA_ARGS__) \
  X(encdable_events, encodable_events, __VA_ARGS__) X(encoable_events, encodable_events, __VA_ARGS__) \
  X(encodble_events, encodable_events, __VA_ARGS__) X(encodale_events, encodable_events, __VA_ARGS__) \
  X(encodabe_events, encodable_events, __VA_ARGS__) X(encodabl_events, encodable_events, __VA_ARGS__) \
  X(encodable_vents, encodable_events, __VA_ARGS__) X(encodable_eents, encodable_events, __VA_ARGS__) \
  X(encodable_evnts, encodable_events, __VA_ARGS__) X(encodable_evets, encodable_events, __VA_ARGS__) \
  X(encodable_evens, encodable_events, __VA_ARGS__) X(encodable_event, encodable_events, __VA_ARGS__) \
  X(eencodable_events, encodable_events, __VA_ARGS__) X(enncodable_events, encodable_events, __VA_ARGS__) \
  X(enccodable_events, encodable_events, __VA_ARGS__) X(encoodable_events, encodable_events, __VA_ARGS__) \
  X(encoddable_events, encodable_events, __VA_ARGS__) X(encodaable_events, encodable_events, __VA_ARGS__) \
  X(encodabble_events, encodable_events, __VA_ARGS__) X(encodablle_events, encodable_events, __VA_ARGS__) \
  X(encodablee_events, encodable_events, __VA_ARGS__) X(encodable_eevents, encodable_events, __VA_ARGS__) \
  X(encodable_evvents, encodable_events, __VA_ARGS__) X(encodable_eveents, encodable_events, __VA_ARGS__) \
  X(encodable_evennts, encodable_events, __VA_ARGS__) X(encodable_eventts, encodable_events, __VA_ARGS__) \
  X(encodable_eventss, encodable_events, __VA_ARGS__) X(necodable_events, encodable_events, __VA_ARGS__) \
  X(ecnodable_events, encodable_events, __VA_ARGS__) X(enocdable_events, encodable_events, __VA_ARGS__) \
  X(encdoable_events, encodable_events, __VA_ARGS__) X(encoadble_events, encodable_events, __VA_ARGS__) \
  X(encodbale_events, encodable_events, __VA_ARGS__) X(encodalbe_events, encodable_events, __VA_ARGS__) \
  X(encodabel_events, encodable_events, __VA_ARGS__) X(encodabl_eevents, encodable_events, __VA_ARGS__) \
  X(encodablee_vents, encodable_events, __VA_ARGS__) X(encodable_veents, encodable_events, __VA_ARGS__) \
  X(encodable_eevnts, encodable_events, __VA_ARGS__) X(encodable_evnets, encodable_events, __VA_ARGS__) \
  X(encodable_evetns, encodable_events, __VA_ARGS__) X(encodable_evenst, encodable_events, __VA_ARGS__)
