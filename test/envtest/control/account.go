package control

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// servingName is in the API server's certificate, besides its loopback address.
const servingName = "localhost"

// tokenLife is for how long the token of a service account is good.
const tokenLife = "24h"

// Port is where the API server listens, on loopback. It is the same after a restart.
func (p *Plane) Port() (int, error) {
	server, err := url.Parse(p.Config.Host)
	if err != nil {
		return 0, fmt.Errorf("find the port of the API server: %w", err)
	}
	return strconv.Atoi(server.Port())
}

// KubeconfigOfAccount writes a kubeconfig for a service account, by a token, and returns
// its file. Address is where the API server is for whoever uses it: a host and port that
// lead to it. The server still has to show its own certificate.
func (p *Plane) KubeconfigOfAccount(ctx context.Context, namespace, name, address string) (string, error) {
	token, err := p.Kubectl(ctx, "", "create", "token", name, "--namespace", namespace, "--duration", tokenLife)
	if err != nil {
		return "", fmt.Errorf("make a token for %s/%s: %w", namespace, name, err)
	}
	config := api.NewConfig()
	config.Clusters["cluster"] = &api.Cluster{
		Server: "https://" + address, TLSServerName: servingName, CertificateAuthorityData: p.Config.CAData,
	}
	config.AuthInfos[name] = &api.AuthInfo{Token: strings.TrimSpace(token)}
	config.Contexts["cluster"] = &api.Context{Cluster: "cluster", AuthInfo: name, Namespace: namespace}
	config.CurrentContext = "cluster"
	file := filepath.Join(p.dir, fmt.Sprintf("account-%x.kubeconfig", namespace+"/"+name))
	text, err := clientcmd.Write(*config)
	if err != nil {
		return "", fmt.Errorf("make a kubeconfig for %s/%s: %w", namespace, name, err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return "", fmt.Errorf("write a kubeconfig: %w", err)
	}
	return file, nil
}
