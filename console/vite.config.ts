import { defineConfig, type Plugin } from 'vite'
import { translations } from './build-plugins/translations.ts'

/**
 * GraphiQL's style sheet has its fonts inside, in letters that no policy of ours would load; those
 * of the reader's machine are as good.
 */
const withoutFonts: Plugin = {
  name: 'without-fonts',
  enforce: 'pre',
  transform: {
    filter: { id: /graphiql\/dist\/style\.css/ },
    handler: (code) => ({ code: code.replaceAll(/@font-face\s*\{[^}]*\}/g, ''), map: null }),
  },
}

/** In development the address ends with a version. */
const componentStyles = /@mantine\/core\/esm\/(?:components|utils)\/.*\/(\w+)\.module\.mjs(?:\?|$)/

/**
 * Each component of Mantine brings its own style sheet, so that a page loads those of what it shows
 * and not all hundred. They lie in a layer: ours go before them, in whatever order they load.
 */
const stylesOfComponents: Plugin = {
  name: 'styles-of-components',
  transform: {
    filter: { id: componentStyles },
    handler(code, id) {
      const name = componentStyles.exec(id)?.[1]
      return { code: `import '@mantine/core/styles/${name}.layer.css'\n${code}`, map: null }
    },
  },
}

/**
 * The modules that every page needs, those of the first page, and the small parts of the others are
 * one file each: fifty small ones are compressed worse. Each has what its modules import, and no
 * page is in the file that GraphiQL loads, too.
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
  {
    name: 'controls',
    test: /app.(components.(controls.(action|form|heading|page-link)|table.list)|api.find-all)\.ts/,
  },
]

const librariesOfMantine = [
  '@floating-ui/react',
  'clsx',
  'react-number-format',
  'react-remove-scroll',
].map((name) => `@mantine/core > ${name}`)

/** The platform that answers the development server's requests: that of `npm start`. */
const platform = process.env.MILLRACE_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  /** Module by module also in development, where each brings its style sheet. */
  optimizeDeps: {
    exclude: ['@mantine/core'],
    include: ['react', 'react/jsx-runtime', 'react-dom', ...librariesOfMantine],
  },
  server: {
    strictPort: true,
    host: '127.0.0.1',
    /** REST, GraphQL with its sockets, and the stream of changes. */
    proxy: { '^/api[:/]': { target: platform, changeOrigin: true, ws: true } },
  },
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
