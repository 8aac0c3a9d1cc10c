#!/bin/sh
# dream: guards %(folder)s/ (this line marks the hook as installed by `dream init`, which may replace it)
#
# Refuses a push that changes %(folder)s/ unless every commit that touches it touches nothing else and was committed by
# the nightly flow. It stops accidents (an edit by hand, a plain revert, a merge that brings an old state back), not
# forgery: anybody who can push can also claim that identity.

folder=%(quoted_folder)s
flow=%(quoted_identity)s
zero=0000000000000000000000000000000000000000

refuse() {
    echo "$1" >&2
    echo "Only the nightly flow changes $folder/. To take back what a night did, run: dream revert ORG --night DATE" >&2
    echo "To get this push through, take the changes under $folder/ out of it." >&2
    exit 1
}

# the content of the folder at a commit, empty where there is none
content() {
    git rev-parse --quiet --verify "$1:$folder" 2>/dev/null
}

by_flow() {
    [ "$(git show --no-patch --format='%%cn <%%ce>' "$1")" = "$flow" ]
}

# a merge that takes the folder as one of its parents has it changes nothing there
taken_over() {
    for parent in $(git rev-parse "$1^@"); do
        [ "$(content "$parent")" = "$(content "$1")" ] && return 0
    done
    return 1
}

while read -r old new ref; do
    case $ref in refs/heads/*) ;; *) continue ;; esac
    [ "$new" = "$zero" ] && continue

    # --branches, not --all: a tag must not carry in what a branch may not
    commits=$(git rev-list --full-history "$new" --not --branches -- ":(literal)$folder") || exit 1
    for commit in $commits; do
        taken_over "$commit" && continue
        short=$(git rev-parse --short "$commit")
        by_flow "$commit" || refuse "Commit $short changes $folder/ and was not committed by $flow."
        others=$(git diff-tree -r -m --root --no-commit-id --name-only "$commit" -- . ":(exclude,literal)$folder") || exit 1
        [ -z "$others" ] || refuse "Commit $short changes $folder/ together with other files."
    done

    # a merge, or a forced push, can bring an old state back without any commit that changes it
    [ "$old" = "$zero" ] && continue
    after=$(content "$new")
    [ "$(content "$old")" = "$after" ] && continue
    commits=$(git rev-list --full-history "$new" "^$old" -- ":(literal)$folder") || exit 1
    for commit in $commits; do
        by_flow "$commit" && [ "$(content "$commit")" = "$after" ] && continue 2
    done
    refuse "This push brings an older $folder/ back on ${ref#refs/heads/}."
done
exit 0
