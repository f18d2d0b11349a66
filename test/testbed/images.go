package testbed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
)

// rootKind is the image that privileged containers are made from.
const rootKind Kind = "root"

// BuildImages builds the images of the kinds that are not in the cache yet, and
// says on w what it does.
func BuildImages(ctx context.Context, w io.Writer, kinds ...Kind) error {
	for _, kind := range kinds {
		if err := Missing(kind); err != nil {
			return fmt.Errorf("a %s %w", kind, err)
		}
		i, err := openImage(ctx, w, kind, nil)
		if err != nil {
			return err
		}
		if err := i.Close(); err != nil {
			return err
		}
	}
	return nil
}

// openImage returns the image for a kind of host with extra packages in it.
func openImage(ctx context.Context, w io.Writer, kind Kind, extra []string) (*image, error) {
	a, err := findArchive()
	if err != nil {
		return nil, err
	}
	r, err := recipeFor(a, kind, extra)
	if err != nil {
		return nil, err
	}
	return r.open(ctx, progress{w: w})
}

func recipeFor(a archive, kind Kind, extra []string) (recipe, error) {
	switch kind {
	case ContainerKind:
		return shiftedRecipe(rootRecipe(a, slices.Concat(basePackages, extra))), nil
	case rootKind:
		return rootRecipe(a, slices.Concat(basePackages, extra)), nil
	}
	v, ok := variants[kind]
	if !ok {
		return recipe{}, errors.New("no such kind of host: " + string(kind))
	}
	return vmRecipe(kind, v, rootRecipe(a, slices.Concat(v.packages, extra))), nil
}

// openRoot returns the root file system that hosts of a kind are made from.
func openRoot(ctx context.Context, w io.Writer, kind Kind) (*image, error) {
	a, err := findArchive()
	if err != nil {
		return nil, err
	}
	packages := basePackages
	if v, ok := variants[kind]; ok {
		packages = v.packages
	}
	return rootRecipe(a, packages).open(ctx, progress{w: w})
}
