package testbed

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// rootKind is the image that the others are made from.
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
	r, err := recipeFor(kind, rootRecipe(a, extra))
	if err != nil {
		return nil, err
	}
	return r.open(ctx, progress{w: w})
}

func recipeFor(kind Kind, root recipe) (recipe, error) {
	switch kind {
	case ContainerKind:
		return shiftedRecipe(root), nil
	case VMKind:
		return vmRecipe(root), nil
	case rootKind:
		return root, nil
	}
	return recipe{}, errors.New("no such kind of host: " + string(kind))
}
