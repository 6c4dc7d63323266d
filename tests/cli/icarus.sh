#!/usr/bin/env bash
# Usage: icarus.sh [PROGRAM]
# Random circuits, and those of ISCAS in $ANACHRON_DATA/iscas, have the value changes that Icarus Verilog gives them, on every net.
if ! command -v iverilog >/dev/null || ! command -v vvp >/dev/null; then
  echo 'skipped: iverilog is not installed'
  exit 77
fi
source "$(dirname "${BASH_SOURCE[0]}")/../support/program.bash" "$@"

# changes FILE BACKSLASHES: the last value of each net at each time, if it is another one than before, as lines "NET TIME
# VALUE". A net that is no bit of a vector though its name ends like one has so many backslashes or more, and gets a mark.
changes() {
  awk -v least="$2" '
    function tell(  i, k, names) {
      for (i in now) if (now[i] != last[i]) {
        last[i] = now[i]
        split(names_of[i], names, " ")
        for (k in names) print names[k], time, now[i]
      }
      split("", now)
    }
    $1 == "$var" { match($5, /^\\*/); $5 = (RLENGTH >= least ? "escaped:" : "") substr($5, RLENGTH + 1); names_of[$4] = names_of[$4] " " $5; last[$4] = "x"; next }
    /^#/ { tell(); time = substr($1, 2); next }
    /^[01xXzZ]/ { now[substr($1, 2)] = tolower(substr($1, 1, 1)) }
    END { tell() }' "$1" | sort
}

# compare OPTION...: of a run of the model.
compare() {
  expect 0 run logic "$@" --verilog circuit.v --vcd ours.vcd --quiet
  iverilog -o circuit.vvp circuit.v circuit_tb.v && vvp circuit.vvp +dump >out || fail "$what: iverilog"
  changes ours.vcd 1 >ours
  changes circuit.vcd 2 >theirs
  [[ $(wc -l <ours) -gt 100 ]] || fail "$what: only $(wc -l <ours) changes"
  cmp -s ours theirs || {
    diff ours theirs | head -n 5
    fail "$what: other changes than those of Icarus Verilog"
  }
}

# Data change at even times and clocks rise at odd ones: which comes first at the same time is open in Verilog.
for seed in 1 2 3; do
  compare --gates 300 --inputs 12 --circuit-seed $seed --gates-per-lp 31 --flops 0.1 --vectors 20 --period $((50 + 16 * seed)) \
    --delays "$((2 * seed)):6,nand=4:2,nor=8,xor=2:12,not=$((8 - 2 * seed)),dff=3:5"
  compare --gates 300 --inputs 12 --circuit-seed $seed --gates-per-lp 20 --flops 0 --vectors 20 --period 17 --delays "$seed:5,nand=4:3,xor=2,not=1:7"
done
# Without delays, all of them and some, with flip-flops that have the clock itself; a name that looks like the bit of a vector.
for delays in 0 0,nand=4:2,xor=3 2,not=0,and=0,dff=0; do
  for flops in 0 0.2; do
    compare --gates 300 --inputs 12 --flops $flops --vectors 20 --period 52 --delays $delays
  done
done
cat >names.v <<'END'
module names (a, b, y, z);
  input [1:0] a;
  input b;
  output [3:0] y;
  output z;
  wire [1:0] n;
  wire \n[0] ;
`ifdef NEVER
  nand (z, a[0], b);
`else
  nor (z, \n[0] , b);
`endif
  not (n[0], a[0]); xor (n[1], a[1], b); and (\n[0] , a[0], a[1], n[0]);
  assign y = {n, 1'b1, \n[0] };
endmodule
END
compare --circuit names.v --vectors 60 --period 10
printf '0 i0=0 i1=1 i2=x i3=z\n7 i0=1 i2=0\n8 i0=0\n20 i3=1 i1=z\n21 i1=0\n60 i0=x i1=1\n' >stimuli
compare --gates 200 --inputs 4 --flops 0 --stimuli stimuli --delays 2:3,nand=5
# Gates with many inputs, some of them twice.
awk 'BEGIN {
  srand(5)
  split("and nand or nor xor xnor", ops, " ")
  print "module wide (i0, i1, i2, i3, i4, i5, g190, g199);\n input i0, i1, i2, i3, i4, i5;\n output g190, g199;"
  for (g = 0; g < 200; ++g) {
    op = ops[1 + int(rand() * 6)]
    line = " " op " #(" 1 + int(rand() * 4) ", " 1 + int(rand() * 4) ") (g" g
    for (k = 1 + int(rand() * 9); k >= 0; --k) {
      from = g - 1 - int(rand() * 20)
      line = line ", " (from < 0 ? "i" (-from) % 6 : "g" from)
    }
    print line ");"
  }
  print "endmodule"
}' >wide.v
compare --circuit wide.v --vectors 40 --period 60 --gates-per-lp 30
for file in "${ANACHRON_DATA:-none}"/iscas/*.bench; do
  [[ ! -e $file ]] || compare --circuit "$file" --vectors 20 --period 402 --gates-per-lp 500 \
    --delays 2,nand=4:2,xor=6,dff=3
done

finish
