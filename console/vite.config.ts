import { defineConfig, type Plugin } from 'vite'
import { translations } from './build-plugins/translations.ts'

/**
 * GraphiQL's style sheet has its fonts inside, in letters that no policy of ours would load; those
 * of the reader's machine are as good.
 */
const withoutFonts: Plugin = {
  name: 'without-fonts',
  enforce: 'pre',
  transform(code, id) {
    if (!/graphiql\/dist\/style\.css/.test(id)) return null
    return { code: code.replaceAll(/@font-face\s*\{[^}]*\}/g, ''), map: null }
  },
}

/**
 * Each component of Mantine brings its own style sheet, so that a page loads those of what it shows
 * and not all hundred. They lie in a layer: ours go before them, in whatever order they load.
 */
const stylesOfComponents: Plugin = {
  name: 'styles-of-components',
  transform(code, id) {
    const name = /@mantine\/core\/esm\/(?:components|utils)\/.*\/(\w+)\.module\.mjs$/.exec(id)?.[1]
    if (name === undefined) return null
    return { code: `import '@mantine/core/styles/${name}.layer.css'\n${code}`, map: null }
  },
}

/**
 * What every page needs, and what the first page needs, are one file each: fifty small ones are
 * compressed worse. Each has what its modules import, and no page is in the file that GraphiQL
 * loads, too.
 */
const sharedFiles = [
  {
    name: 'start',
    test: /react-dom.client.js|MantineProvider.mjs|app.(ui.theme|frame.(app|missing-texts))\.tsx?/,
    priority: 2,
  },
  {
    name: 'pages',
    test: /console.app.(router|pages.overview.overview-page)\.tsx$/,
    priority: 1,
  },
]

export default defineConfig({
  plugins: [withoutFonts, stylesOfComponents, translations()],
  build: {
    /** Browsers with `light-dark()`, so that the style sheets stay as they were written. */
    target: ['chrome123', 'firefox128', 'safari17.5'],
    /** They all load modules ahead by themselves. */
    modulePreload: { polyfill: false },
    /** GraphiQL with its editor; the console does not load it. */
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      /** The console, and GraphiQL at /api/graphql. */
      input: ['index.html', 'graphiql.html'],
      output: { codeSplitting: { groups: sharedFiles } },
      onLog(level, log, report) {
        // The libraries mark every file for servers that render React; this page has none.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log)
      },
    },
  },
})
