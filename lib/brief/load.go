package brief

import (
	"daimon/lib/doc"
	"daimon/lib/store"
)

// Load reads what there is to brief of a project: its latest checkpoint, else
// the newest readable one before it, with a note when a file is damaged. Nil
// without notes means that nothing was ever captured. It never looks at another
// project.
func Load(st *store.Store, slug string) (c *doc.Checkpoint, notes []string, err error) {
	c, err = st.Latest(slug)
	if !store.Torn(err) {
		return c, nil, err
	}
	for _, path := range st.Prev(slug) {
		if c, err := st.ReadPointer(slug, path); err == nil {
			return c, []string{"The latest checkpoint file is damaged; this is the one before it."}, nil
		}
	}
	return nil, []string{"The latest checkpoint file is damaged, and so are the ones before it: nothing can be shown until the next capture."}, nil
}
