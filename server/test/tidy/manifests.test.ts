import { test } from 'node:test'
import {
  dependenciesArePinned,
  lockHoldsNoAddress,
  noMachineIsNamed,
  ownedPackagesAreDependencies,
} from './manifests.ts'
import { assertClean, assertFinds } from './tree/assertions.ts'

test('a dependency with a range, a tag or an address is found', () => {
  assertFinds(
    dependenciesArePinned,
    {
      'server/package.json': [
        '{',
        '  "name": "pg",',
        '  "dependencies": {',
        '    "pg": "^8.23.0",',
        '    "pino": "10.4.0"',
        '  },',
        '  "devDependencies": { "knip": "latest" },',
        '  "optionalDependencies": { "x": "github:x/x" }',
        '}',
      ],
    },
    'server/package.json:4 pg is not pinned: ^8.23.0',
    'server/package.json:7 knip is not pinned: latest',
    'server/package.json:8 x is not pinned: github:x/x',
  )
})

test('exact versions, also pre-releases and aliases, are clean', () => {
  assertClean(dependenciesArePinned, {
    'package.json': [
      '{ "dependencies": { "a": "18.4.0-beta.17", "b": "npm:@x/c@6.0.2" },',
      '  "peerDependencies": { "react": ">=19" } }',
    ],
  })
})

test('a lock file that names an address is found, one that links workspaces is clean', () => {
  const address = 'https://example.org/pg-8.23.0.tgz'
  assertFinds(
    lockHoldsNoAddress,
    { 'package-lock.json': ['{', `  "resolved": "${address}"`, '}'] },
    `package-lock.json:2 resolved from ${address}`,
  )
  assertClean(lockHoldsNoAddress, {
    'package-lock.json': ['{', '  "resolved": "server",', '  "link": true', '}'],
  })
})

// Put together, so that this file itself names no machine and no registry.
const path = ['', 'work', 'main'].join('/')
const home = ['', 'home', 'ada', 'x.ts'].join('/')
const host = ['registry', 'example', 'org'].join('.')

test('a path of a machine and the host of a registry are found in any file', () => {
  assertFinds(
    noMachineIsNamed,
    {
      'docs/using/start.md': ['# Start', `Go to ${path}.`],
      'server/src/insight/assets/a.ts': `const a = '${home}'`,
      '.npmrc': ['fund=false', `${'registry'}=https://${host}/`],
    },
    `.npmrc:2 a registry's host: ${host}`,
    ".npmrc:2 a registry's host: registry=",
    `docs/using/start.md:2 a path of a machine: ${path}.`,
    `server/src/insight/assets/a.ts:1 a path of a machine: ${home}`,
  )
})

test('relative paths, addresses, and a path that a test makes up are clean', () => {
  assertClean(noMachineIsNamed, {
    'console/app/main.ts': "import { Home } from './home/page.tsx'",
    'docs/using/start.md': 'See https://example.org/home/index.html and server/src/work/a.ts.',
    'server/test/spec/a.test.ts': `const a = '${home}' // tidy: a made-up path`,
  })
})

test('an owned package, or one of an owned scope, is a dependency, another one is found', () => {
  const file = 'server/test/tidy/modules.ts'
  const owners = ["  pg: 'database',", "  '@fastify': 'management',", "  gone: 'graphql',"]
  const planted = {
    'server/package.json': '{"dependencies": {"pg": "8.23.0", "@fastify/multipart": "1.0.0"}}',
    [file]: ['export const packageOwners: Owners = {', ...owners, '}'],
  }
  const message = 'gone is no dependency of the server'
  assertFinds(ownedPackagesAreDependencies, planted, `${file}:4 ${message}`)
})
