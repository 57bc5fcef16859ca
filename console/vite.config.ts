import { defineConfig } from 'vite'

export default defineConfig({
  build: {
    /** Browsers with `light-dark()`, so that the style sheets stay as they were written. */
    target: ['chrome123', 'firefox128', 'safari17.5'],
    rolldownOptions: {
      onLog(level, log, report) {
        // The libraries mark every file for servers that render React; this page has none.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log)
      },
    },
  },
})
