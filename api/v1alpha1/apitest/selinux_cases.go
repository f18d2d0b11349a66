package apitest

// selinuxCases are about SELinux.
func selinuxCases() []Case {
	selinux := func(word string) string { return document("nodeSelector: {}\nselinux: " + word) }
	const words = "must be Keep or Manage"
	return []Case{
		{Name: "SELinux that is managed", YAML: selinux("Manage")},
		{Name: "SELinux that is kept", YAML: selinux("Keep")},
		{Name: "an unknown word for SELinux", YAML: selinux("Enforcing"), RefusedBy: Everybody, Field: "spec.selinux", Message: words},
		{Name: "a word for SELinux in lower case", YAML: selinux("manage"), RefusedBy: Everybody, Field: "spec.selinux", Message: words},
		{Name: "selinux: off", YAML: selinux("off"), RefusedBy: Everybody, Field: "spec.selinux", Message: "off is a boolean in YAML; write Keep or Manage"},
		{Name: "selinux: false", YAML: selinux("false"), RefusedBy: Everybody, Field: "spec.selinux", Message: "write Keep or Manage"},
		{Name: "selinux in capital letters", YAML: document("nodeSelector: {}\nseLinux: Manage"), RefusedBy: Everybody, Field: "spec.seLinux", Message: "no such field"},
	}
}
