# Instructions counted by callgrind, for bench/run and bench/ratio, which source this. $work: a directory for its files.

instructions() {  # of a whole run
  valgrind --tool=callgrind --callgrind-out-file="$work/out" "$@" 2>&1 >/dev/null | sed -n 's/.*Collected : //p'
}
difference() {  # SHORT LONG DIVISOR COMMAND...: per step, as the difference of two run lengths
  local short=$1 long=$2 divisor=$3 a b
  shift 3
  a=$(instructions "$@" "$short")
  b=$(instructions "$@" "$long")
  echo $(((b - a) / ((long - short) * divisor)))
}
stored() {  # NAME
  sed -n "s/^$1 //p" "$here/counts.txt"
}
