#!/bin/sh
# The steps of a production installation, one word each. The Dockerfile and compose.yaml run them, and so can you.
#
#   steps.sh build FOLDER     build the server from this checkout into FOLDER
#   steps.sh cli FOLDER       put `crm`, the command line, into FOLDER, after `build`
#   steps.sh secrets FOLDER   make the two secrets in FOLDER, once
#   steps.sh migrate          create or upgrade the database
#   steps.sh all|api|worker   serve, after `migrate`, until SIGTERM
#   steps.sh run ARGS         any other command of crm-server, such as `tenants create`
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
# In the image the built server is beside this folder.
: "${CRMKIT_SERVER:=node $root/dist/main/crm-server.js}"

# A secret that exists is never replaced: sessions and stored credentials depend on it.
make_secret() {
  [ -s "$1" ] || (umask 077 && openssl rand -hex 32 >"$1")
}

# Legacy: copies the packages of the workspace instead of linking them.
deploy_package() {
  pnpm=$(sed -n "s/^const PNPM = '\(.*\)'$/\1/p" "$root/scripts/bootstrap.mjs")
  (cd "$root" && npx --yes "$pnpm" --filter "$1" deploy --prod --legacy "$2")
}

step=${1:-}
[ $# -gt 0 ] && shift
case $step in
  build)
    node "$root/scripts/bootstrap.mjs" build
    deploy_package @crmkit/server "$1"
    ;;
  cli) deploy_package @crmkit/cli "$1" ;;
  secrets)
    mkdir -p "$1"
    make_secret "$1/jwt-secret"
    make_secret "$1/secrets-key"
    ;;
  # Not quoted: the command has several words.
  migrate) exec $CRMKIT_SERVER migrate ;;
  all | api | worker) CRM_ROLE=$step exec $CRMKIT_SERVER start ;;
  run) exec $CRMKIT_SERVER "$@" ;;
  *)
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
