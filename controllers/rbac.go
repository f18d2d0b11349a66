package controllers

// What the agent may do in the cluster; config/daemonset/role.yaml is made of these lines
// (make generate). It deletes nothing anywhere and reads neither Secrets nor Pods. RBAC
// cannot limit it to the Node and the HostProfileStatus of its own name: that takes an
// admission policy.
//
// +kubebuilder:rbac:groups=hostprofile.io,resources=hostprofiles,verbs=get;list;watch
// +kubebuilder:rbac:groups=hostprofile.io,resources=hostprofilestatuses,verbs=list;watch;create;patch
// +kubebuilder:rbac:groups=apiextensions.k8s.io,resources=customresourcedefinitions,resourceNames=hostprofiles.hostprofile.io,verbs=get
// +kubebuilder:rbac:groups="",resources=nodes,verbs=get;list;watch
// +kubebuilder:rbac:groups="",resources=nodes/status,verbs=patch
