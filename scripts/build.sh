# What ./assay, ./test and fuzz/run share: installing packages and building a preset quietly.
#
# Sourced, with `root` set to the repository. Nothing here writes to standard output; a failure
# says what to do and exits with 2.

# Debian's name for it is one that the sanitizers do not look for.
export ASAN_SYMBOLIZER_PATH=/usr/lib/llvm-16/bin/llvm-symbolizer

fail() {
  echo "assay: $*" >&2
  exit 2
}

# One line that keeps changing on a terminal; elsewhere only the first call prints.
progress() {
  if [[ -t 2 ]]; then
    printf '\r\033[Kassay: %s' "$*" >&2
  elif [[ -z ${progress_said-} ]]; then
    echo "assay: $*" >&2
  fi
  progress_said=1
}
end_progress() {
  [[ -t 2 && -n ${progress_said-} ]] && printf '\r\033[K' >&2
  progress_said=
}

missing_packages() {  # GROUP...
  local package group rest command
  local -A installed=()
  while read -r package; do
    installed[$package]=1
  done < <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p')
  while read -r package group rest; do
    [[ $package != \#* && " $* " == *" $group "* ]] || continue
    command=${rest##*|} command=${command# }
    [[ -n ${installed[$package]-} ]] || command -v "${command:-no-such-command}" >/dev/null || echo "$package"
  done <"$root/scripts/packages.txt"
}

install_packages() {  # GROUP...
  # Without dpkg this is no Debian: CMake will say what it cannot find.
  command -v dpkg-query >/dev/null || return 0
  local missing as_root=() log=$root/build/packages.log
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0

  local by_hand="apt-get install --no-install-recommends ${missing[*]}"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "packages are missing; as root, run: $by_hand"
    as_root=(sudo)
    [[ -t 0 ]] || as_root+=(-n)
  fi
  # A server that is installed for the tests is not to start as a service: Debian asks policy-rc.d, where there is none we
  # say no as long as the installation lasts.
  local quietly='policy=/usr/sbin/policy-rc.d
    if [ ! -e $policy ]; then
      trap "rm -f $policy" EXIT
      trap "exit 130" INT TERM HUP
      printf "#!/bin/sh\nexit 101\n" >$policy && chmod 755 $policy
    fi
    "$@"'
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive sh -c "$quietly" sh apt-get -q -y -o DPkg::Lock::Timeout=600)
  progress "installing packages: ${missing[*]}"
  # A source that cannot be updated is no reason to stop: the others may have all that is missing.
  "${apt[@]}" update >"$log" 2>&1
  if ! "${apt[@]}" install --no-install-recommends "${missing[@]}" </dev/null >>"$log" 2>&1; then
    end_progress
    tail -n 15 "$log" >&2
    fail "packages could not be installed (log: $log); as root, run: apt-get update && $by_hand"
  fi
  end_progress
}

# Runs a build, keeping what it says in the log and its step count on the terminal.
show_steps() (  # WHAT LOG COMMAND...
  local what=$1 log=$2 line
  shift 2
  set -o pipefail
  "$@" </dev/null 2>&1 | tee -a "$log" | while IFS= read -r line; do
    if [[ -t 2 && $line =~ ^\[([0-9]+/[0-9]+)\] ]]; then progress "building $what ${BASH_REMATCH[1]}"; fi
  done
)

build_preset() {  # PRESET DIRECTORY WHAT [TARGET...]
  local preset=$1 directory=$2 what=$3 log=$2/build.log targets=() fresh=()
  shift 3
  (($# == 0)) || targets=(--target "$@")
  mkdir -p "$directory" || fail "cannot write to $directory"
  # A directory that was moved or copied remembers where it was configured.
  if [[ -f $directory/CMakeCache.txt ]] &&
     ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(cd "$root" && pwd -P)" "$directory/CMakeCache.txt"; then
    fresh=(--fresh)
  fi
  progress "building $what"
  if ! (cd "$root" && cmake --preset "$preset" "${fresh[@]}") </dev/null >"$log" 2>&1; then
    end_progress
    cat "$log" >&2
    fail "the build could not be configured (log: $log)"
  fi
  if ! show_steps "$what" "$log" cmake --build "$directory" "${targets[@]}"; then
    end_progress
    sed -n '/^FAILED:/,$p' "$log" | grep -v '^\[[0-9]*/[0-9]*\]' | head -n 80 >&2
    fail "the build failed (log: $log)"
  fi
  end_progress
}
