package apitest

import (
	"fmt"
	"strings"
)

// directories is a profile for every node with directories, given as YAML.
func directories(list string) string { return document("nodeSelector: {}\ndirectories: " + list) }

// directoryCases are about directories.
func directoryCases() []Case {
	const (
		first = "spec.directories[0]"
		path  = first + ".path"
		mode  = first + ".mode"
		user  = first + ".owner.uid"
	)
	bad := func(why, entry, field, message string) Case {
		return Case{Name: "directory: " + why, YAML: directories("[{" + entry + "}]"), RefusedBy: Everybody, Field: field, Message: message}
	}
	badPath := func(why, p, message string) Case { return bad(why, fmt.Sprintf("path: %q", p), path, message) }
	badMode := func(why, m, message string) Case { return bad(why, "path: /opt/a, mode: "+m, mode, message) }
	return []Case{
		{Name: "directories", YAML: directories(`[{path: /etc/cni/net.d, mode: "0755", owner: {uid: 0, gid: 0}}, {path: /var/lib/kubelet}, {path: "/opt/a:b/c@1+2=3,4"}, {path: /srv/x, owner: {uid: 4294967294, gid: 1}}]`)},
		{Name: "an empty list of directories", YAML: directories("[]")},
		{Name: "directory: a mode that keeps everybody out", YAML: directories(`[{path: /opt/a, mode: "0000"}]`)},
		badPath("no path", "", "needs a path"),
		{Name: "directory: no field path", YAML: directories(`[{mode: "0755"}]`), RefusedBy: Everybody, Field: path, Message: "needs a path"},
		badPath("a relative path", "opt/cni", "must be below"),
		badPath("a relative path with a slash at the end", "opt/cni/", "must be below"),
		badPath("a relative way out", "opt/../etc/ssh", "must be below"),
		badPath("the root", "/", "must be below"),
		badPath("a root of the list itself", "/var/lib", "must be below"),
		badPath("a folder of the system", "/etc/ssh", "must be below"),
		badPath("a beginning that is no folder", "/optional/a", "must be below"),
		badPath("a way out", "/opt/../etc", "must be clean"),
		badPath("a dot", "/opt/./a", "must be clean"),
		badPath("dots at the end", "/opt/a/..", "must be clean"),
		badPath("a double slash", "/opt//a", "must be clean"),
		badPath("a slash at the end", "/opt/a/", "must be clean"),
		badPath("a blank", "/opt/a b", "letters, digits"),
		badPath("a star", "/opt/*", "letters, digits"),
		badPath("a line break", "/opt/a\nb", "letters, digits"),
		badPath("a letter that is not ASCII", "/opt/\u00e4", "letters, digits"),
		badPath("the program's own record", "/var/lib/hostprofile/x", "where the record"),
		badPath("too long a path", "/opt/"+strings.Repeat("a", 252), "at most 256"),
		badMode("a mode of three digits", `"755"`, "four octal digits"),
		badMode("a mode with a set-id bit", `"2755"`, "four octal digits"),
		badMode("a mode that is not octal", `"0789"`, "four octal digits"),
		badMode("a mode in words", "u=rwx", "four octal digits"),
		badMode("a mode that lets everybody write", `"0777"`, "lets everybody write"),
		badMode("a mode that lets everybody write and nothing else", `"0702"`, "lets everybody write"),
		badMode("an unquoted mode", "0755", `"0755"`),
		bad("a user by name", "path: /opt/a, owner: {uid: root, gid: 0}", user, "integer"),
		bad("an owner without a group", "path: /opt/a, owner: {uid: 0}", first+".owner.gid", "uid and a gid"),
		bad("a negative user", "path: /opt/a, owner: {uid: -1, gid: 0}", user, "from 0 to"),
		bad("a user that no number stands for", "path: /opt/a, owner: {uid: 4294967295, gid: 0}", user, "from 0 to"),
		bad("a field that there is not", "path: /opt/a, recursive: true", first+".recursive", "no such field"),
		{Name: "directory: a path twice", YAML: directories("[{path: /opt/a}, {path: /opt/a}]"), RefusedBy: Everybody,
			Field: "spec.directories[1].path", Message: "in spec.directories[0] already"},
		{Name: "directories that are no list", YAML: directories("{path: /opt/a}"), RefusedBy: Everybody, Field: "spec.directories", Message: "must be"},
		{Name: "more directories than are allowed", YAML: directories(manyDirectories(65)), RefusedBy: Everybody, Field: "spec.directories", Message: "at most 64"},
		{Name: "as many directories as are allowed", YAML: directories(manyDirectories(64))},
	}
}

func manyDirectories(n int) string {
	list := "["
	for i := range n {
		list += fmt.Sprintf("{path: /opt/%d}, ", i)
	}
	return list + "]"
}
