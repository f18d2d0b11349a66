#!/bin/sh
# Runs before the package is removed or upgraded: dpkg says "remove" or "upgrade", rpm says
# how many versions will remain. Removing the program changes no host. Who has not run
# `bootstrap down` is told that it stays prepared, and how that is given back.
case "$1" in
remove | 0) ;;
*) exit 0 ;;
esac

ledger=/var/lib/hostprofile/ledger.json
if [ -e "$ledger" ]; then
	echo "hostprofile: this host stays as bootstrap has prepared it, now and at every boot." >&2
	echo "hostprofile: the record is $ledger: keep it. To give back what is recorded," >&2
	echo "hostprofile: install hostprofile again and run: bootstrap down" >&2
fi
exit 0
