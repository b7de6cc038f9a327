// Command stand-in is a provider that accepts the resources of the providers that the examples use. It creates nothing,
// and returns outputs of the same form as theirs. It knows the few properties that these providers choose, hide or replace.
package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

type values = map[string]property.Value

// replaceOn names the inputs whose change replaces a resource.
var replaceOn = map[string][]string{
	"aws:iam/accessKey:AccessKey":                {"user"},
	"kubernetes:core/v1:ConfigMap":               {"data", "metadata"},
	"kubernetes:core/v1:Namespace":               {"metadata"},
	"kubernetes:core/v1:Secret":                  {"stringData", "metadata"},
	"random:index/randomPassword:RandomPassword": {"keepers", "length", "special"},
}

func main() {
	// The engine starts it by the name of the provider that it stands in for, and asks for a recent version.
	name := strings.TrimPrefix(filepath.Base(os.Args[0]), "pulumi-resource-")
	if err := p.RunProvider(context.Background(), name, "99.0.0", provider); err != nil {
		os.Exit(1)
	}
}

var provider = p.Provider{
	Configure: func(context.Context, p.ConfigureRequest) error { return nil },
	Check:     check,
	Diff:      diff,
	Create: func(_ context.Context, req p.CreateRequest) (p.CreateResponse, error) {
		token, name := string(req.Urn.Type()), req.Urn.Name()
		id := newID(token, name)
		if req.DryRun {
			id = ""
		}
		return p.CreateResponse{ID: id, Properties: outputs(token, id, req.Properties)}, nil
	},
	Read: func(_ context.Context, req p.ReadRequest) (p.ReadResponse, error) {
		return p.ReadResponse{ID: req.ID, Properties: req.Properties, Inputs: req.Inputs}, nil
	},
	Update: func(_ context.Context, req p.UpdateRequest) (p.UpdateResponse, error) {
		id := req.ID
		if req.DryRun {
			id = ""
		}
		return p.UpdateResponse{Properties: outputs(string(req.Urn.Type()), id, req.Inputs)}, nil
	},
	Delete: func(context.Context, p.DeleteRequest) error { return nil },
}

// check chooses the names of Kubernetes objects, and adds the digest of the files of an image.
func check(_ context.Context, req p.CheckRequest) (p.CheckResponse, error) {
	inputs := req.Inputs
	token := string(req.Urn.Type())
	if strings.HasPrefix(token, "kubernetes:") {
		metadata := inputs.Get("metadata").AsMap()
		if _, named := metadata.GetOk("name"); !named {
			name := property.New(req.Urn.Name() + "-" + random(4))
			if old := req.State.Get("metadata"); old.IsMap() {
				name = old.AsMap().Get("name")
			}
			inputs = inputs.Set("metadata", property.New(metadata.Set("name", name)))
		}
	}
	if token == "docker-build:index:Image" {
		digest, err := digestOf(inputs.Get("context").AsMap().Get("location").AsString())
		if err != nil {
			return p.CheckResponse{}, err
		}
		inputs = inputs.Set("contextHash", property.New(digest))
	}
	return p.CheckResponse{Inputs: inputs}, nil
}

func diff(_ context.Context, req p.DiffRequest) (p.DiffResponse, error) {
	changes := map[string]p.PropertyDiff{}
	for key, value := range req.Inputs.All {
		if old, existed := req.OldInputs.GetOk(key); !existed || !old.Equals(value) {
			changes[key] = p.PropertyDiff{Kind: p.Update, InputDiff: true}
		}
	}
	for key := range req.OldInputs.All {
		if _, remains := req.Inputs.GetOk(key); !remains {
			changes[key] = p.PropertyDiff{Kind: p.Delete, InputDiff: true}
		}
	}
	for _, key := range replaceOn[string(req.Urn.Type())] {
		if change, changed := changes[key]; changed {
			change.Kind = p.UpdateReplace
			changes[key] = change
		}
	}
	return p.DiffResponse{HasChanges: len(changes) > 0, DetailedDiff: changes}, nil
}

// outputs returns the inputs and what the provider computes, which is unknown without an ID: in previews.
func outputs(token, id string, inputs property.Map) property.Map {
	computed := values{}
	switch token {
	case "aws:s3/bucket:Bucket":
		computed = values{
			"bucket": property.New(id), "arn": property.New("arn:aws:s3:::" + id), "region": property.New("eu-central-1"),
		}
	case "aws:iam/user:User":
		computed = values{"name": property.New(id), "arn": property.New("arn:aws:iam::123456789012:user/" + id)}
	case "aws:iam/accessKey:AccessKey":
		computed = values{"secret": property.New(random(20)).WithSecret(true)}
	case "random:index/randomPassword:RandomPassword":
		computed = values{"result": property.New(random(20)).WithSecret(true)}
	case "docker-build:index:Image":
		digest := "sha256:" + inputs.Get("contextHash").AsString()
		tag := inputs.Get("tags").AsArray().Get(0).AsString()
		computed = values{"digest": property.New(digest), "ref": property.New(tag + "@" + digest)}
	}
	for key, value := range computed {
		if id == "" {
			value = property.New(property.Computed).WithSecret(value.Secret())
		}
		inputs = inputs.Set(key, value)
	}
	return inputs
}

func newID(token, name string) string {
	if token == "aws:iam/accessKey:AccessKey" {
		return "AKIA" + strings.ToUpper(random(8))
	}
	return name + "-" + random(4)
}

func random(bytes int) string {
	value := make([]byte, bytes)
	_, _ = rand.Read(value)
	return hex.EncodeToString(value)
}

// digestOf returns the digest of the names and contents of all files of a folder.
func digestOf(folder string) (string, error) {
	digest := sha256.New()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		digest.Write([]byte(path))
		digest.Write(content)
		return err
	})
	return hex.EncodeToString(digest.Sum(nil)), err
}
