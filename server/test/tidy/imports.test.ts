import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  importsAreConstant,
  importsRunDownhill,
  packagesHaveOneOwner,
  reexportsOnlyInIndexes,
  testsUsePublicInterfaces,
  threadsLoadLittle,
  workspacesStandApart,
} from './imports.ts'
import { modules } from './modules.ts'
import { assertClean, assertFinds } from './tree/planted.ts'

test('the table of modules names only modules above a row, so no cycle can be written', () => {
  const above = new Set<string>()
  for (const { name, mayImport, typesOf = [] } of modules) {
    for (const one of [...mayImport, ...typesOf]) assert(above.has(one), `${name} names ${one}`)
    above.add(name)
  }
})

test('an import uphill is found, static, dynamic, as a type and as a re-export', () => {
  const up = '../scripting/index.ts'
  assertFinds(
    importsRunDownhill,
    {
      'server/src/device-api/server.ts': [
        "import { limits } from '../kernel/index.ts'",
        `import { run } from '${up}'`,
        `const late = await import('${up}')`,
        `type Late = import('${up}').Run`,
        `export { run } from '${up}'`,
      ],
    },
    'server/src/device-api/server.ts:2 device-api may not import scripting',
    'server/src/device-api/server.ts:3 device-api may not import scripting',
    'server/src/device-api/server.ts:4 device-api may not import scripting',
    'server/src/device-api/server.ts:5 device-api may not import scripting',
  )
})

test('imports downhill through index.ts, and inside the module, are clean', () => {
  assertClean(importsRunDownhill, {
    'server/src/device-api/http/server.ts': [
      "import { createServer } from 'node:http'",
      "import { Fault } from '../../kernel/index.ts'",
      "import { parse } from '../parse.ts'",
    ],
    'server/src/config/config.ts': "import { limits } from '../kernel/index.ts'",
    'server/src/main.ts': [
      "import { config } from './config/index.ts'",
      "import { createGraphql } from './graphql/index.ts'",
      "import { listen } from './http/index.ts'",
    ],
    'server/src/http/listen.ts': "import type { DeviceHttp } from '../device-api/index.ts'",
    'server/src/cli/start.ts': "import { main } from '../main.ts'",
    'server/src/cli/version.ts': "import manifest from '../../package.json' with { type: 'json' }",
  })
})

test('a file inside another module is refused, from a module and from main.ts', () => {
  assertFinds(
    importsRunDownhill,
    {
      'server/src/device-api/server.ts': "import { limits } from '../kernel/limits.ts'",
      'server/src/main.ts': ['', "import { limits } from './kernel/limits.ts'"],
    },
    'server/src/device-api/server.ts:1 import server/src/kernel/index.ts instead',
    'server/src/main.ts:2 import server/src/kernel/index.ts instead',
  )
})

test('a module takes neither the configuration, nor tests, nor another workspace', () => {
  assertFinds(
    importsRunDownhill,
    {
      'server/src/assets/a.ts': "import { config } from '../config/index.ts'",
      'server/src/assets/b.ts': "import { tree } from '../../test/fixtures/tree.ts'",
      'server/src/assets/c.ts': "import { x } from '../../../insight-sdk/src/index.ts'",
      'server/src/main.ts': "import { x } from '../../console/app/x.ts'",
    },
    'server/src/assets/a.ts:1 assets may not import config',
    'server/src/assets/b.ts:1 what is shipped must not import tests',
    'server/src/assets/c.ts:1 insight-sdk/src/index.ts lies in another workspace',
    'server/src/main.ts:1 console/app/x.ts lies in another workspace',
  )
})

test('the listeners take the servers as arguments, and modules never take the listeners', () => {
  assertFinds(
    importsRunDownhill,
    {
      'server/src/http/listen.ts': "import { createDeviceHttp } from '../device-api/index.ts'",
      'server/src/device-api/server.ts': "import { listen } from '../http/index.ts'",
    },
    'server/src/device-api/server.ts:1 device-api may not import http',
    'server/src/http/listen.ts:1 http may not import device-api',
  )
})

test('a module that the table does not know is found', () => {
  assertFinds(
    importsRunDownhill,
    { 'server/src/billing/index.ts': "import { Fault } from '../kernel/index.ts'" },
    'server/src/billing/index.ts:1 billing is not in the table of modules',
  )
})

test('a service takes types of scripting, but nothing that runs, and never a sibling', () => {
  const service = 'server/src/services/http/index.ts'
  const type = "import type { Operation } from '../../scripting/index.ts'"
  assertClean(importsRunDownhill, { [service]: type })
  assertFinds(
    importsRunDownhill,
    {
      [service]: [
        "import { type Operation, run } from '../../scripting/index.ts'",
        "import { timer } from '../timer/index.ts'",
      ],
    },
    `${service}:1 services/http may not import scripting`,
    `${service}:2 services/http may not import services/timer`,
  )
})

test('a test that reaches into another module is found, one by its index.ts is clean', () => {
  const files = {
    'server/test/spec/write.test.ts': [
      "import { createEventLog } from '../../src/eventlog/index.ts'",
      "import { shardOf } from '../../src/eventlog/shard.ts'",
    ],
    'server/src/assets/signal.test.ts': [
      "import { worst } from './status.ts'",
      "import { createGraphql } from '../graphql/index.ts'",
      "import { depth } from '../graphql/depth.ts'",
    ],
  }
  assertFinds(
    testsUsePublicInterfaces,
    files,
    'server/src/assets/signal.test.ts:3 ' +
      'server/src/graphql/depth.ts is inside a module: import its index.ts',
    'server/test/spec/write.test.ts:2 ' +
      'server/src/eventlog/shard.ts is inside a module: import its index.ts',
  )
  assertClean(testsUsePublicInterfaces, {
    'server/test/fixtures/engine.ts': [
      "import { startEngine } from '../../src/database/embedded/index.ts'",
      "import { config } from '../../src/config/index.ts'",
    ],
  })
})

test('an import() of a computed name is found, a constant one is clean', () => {
  const file = 'server/src/scripting/load.ts'
  assertFinds(
    importsAreConstant,
    { [file]: ['', 'const engine = await import(name)'] },
    `${file}:2 import() of a computed name`,
  )
  assertClean(importsAreConstant, { [file]: "const engine = await import('node:vm')" })
})

test('a package outside its owner, or with none, is found', () => {
  assertFinds(
    packagesHaveOneOwner,
    {
      'server/src/assets/store.ts': ["import { test } from 'node:test'", "import pg from 'pg'"],
      'server/src/graphql/index.ts': "import cors from '@fastify/cors'",
      'server/src/main.ts': "import { pino } from 'pino'",
      'server/src/kernel/ids.ts': "import { nanoid } from 'nanoid/non-secure'",
    },
    'server/src/assets/store.ts:2 pg belongs to database, not to assets',
    'server/src/graphql/index.ts:1 @fastify/cors belongs to management, not to graphql',
    'server/src/kernel/ids.ts:1 nanoid has no owner in the table of packages',
    'server/src/main.ts:1 pino belongs to kernel, not to server/src/main.ts',
  )
})

test('a package in its owner is clean, and tests may bring their own', () => {
  assertClean(packagesHaveOneOwner, {
    'server/src/database/pool.ts': "import pg from 'pg'",
    'server/src/management/index.ts': "import multipart from '@fastify/multipart'",
    'server/src/provisioning/csr.ts': ["import 'reflect-metadata'", "import '@peculiar/x509'"],
    'server/src/database/pool.test.ts': "import fc from 'fast-check'",
    'server/test/fixtures/database.ts': "import pg from 'pg'",
  })
})

test('of the SDK the server shares the wire types, and only with pipelines', () => {
  const protocol = "import type { SignalData } from '@millrace/insight-sdk/protocol'"
  assertFinds(
    packagesHaveOneOwner,
    {
      'server/src/graphql/links.ts': protocol,
      'server/src/pipelines/run.ts': "import { serve } from '@millrace/insight-sdk'",
    },
    'server/src/graphql/links.ts:1 graphql may not import @millrace/insight-sdk/protocol',
    'server/src/pipelines/run.ts:1 pipelines may not import @millrace/insight-sdk',
  )
  assertClean(packagesHaveOneOwner, {
    'server/src/pipelines/run.ts': protocol,
    'server/src/pipelines/run.test.ts': "import { serve } from '@millrace/insight-sdk'",
  })
})

test('a workspace that drags another in is found', () => {
  assertFinds(
    workspacesStandApart,
    {
      'console/app/api.ts': "import { Fault } from '../../server/src/kernel/index.ts'",
      'client/src/client.ts': "import { run } from '@millrace/cli/command'",
      'console/app/page.tsx': ['', "import { x } from '@millrace/insight-sdk/protocol'"],
      'insight-sdk/src/serve.ts': "import { Fault } from '../../server/src/kernel/index.ts'",
      'examples/meter/module.ts': "import { x } from '@millrace/server'",
    },
    'client/src/client.ts:1 client/src may not import @millrace/cli/command',
    'console/app/api.ts:1 console may not import server/src/kernel/index.ts',
    'console/app/page.tsx:2 console may not import @millrace/insight-sdk/protocol',
    'examples/meter/module.ts:1 examples may not import @millrace/server',
    'insight-sdk/src/serve.ts:1 insight-sdk may not import server/src/kernel/index.ts',
  )
})

test('workspaces that stand apart are clean', () => {
  assertClean(workspacesStandApart, {
    'client/src/client.ts': "import createClient from 'openapi-fetch'",
    'console/app/api.ts': "import { unwrap } from '@millrace/client'",
    'console/app/page.tsx': "import { Button } from '@mantine/core'",
    'insight-sdk/test/suite.ts': "import { serve } from '../src/index.ts'",
    'examples/meter/module.ts': "import { defineModule } from '@millrace/insight-sdk'",
  })
})

test('a barrel inside a module is found, in an index.ts it is clean', () => {
  const barrel = [
    "import { a } from './a.ts'",
    "export { b } from './b.ts'",
    "export * from './c.ts'",
  ]
  assertFinds(
    reexportsOnlyInIndexes,
    { 'server/src/assets/all.ts': barrel, 'insight-sdk/src/all.ts': barrel },
    'insight-sdk/src/all.ts:2 re-export outside a module’s index.ts',
    'insight-sdk/src/all.ts:3 re-export outside a module’s index.ts',
    'server/src/assets/all.ts:2 re-export outside a module’s index.ts',
    'server/src/assets/all.ts:3 re-export outside a module’s index.ts',
  )
  assertClean(reexportsOnlyInIndexes, {
    'server/src/assets/index.ts': barrel,
    'server/src/database/embedded/index.ts': barrel,
    'insight-sdk/src/protocol.ts': barrel,
    'server/src/assets/a.ts': ['const a = 1', 'export { a }'],
  })
})

test('a file of the worker threads takes the part of the kernel for threads', () => {
  const folder = 'server/src/scripting/runtime'
  const entry = "import { serve } from './serve.ts'"
  assertFinds(
    threadsLoadLittle,
    {
      [`${folder}/thread/worker.ts`]: entry,
      [`${folder}/thread/serve.ts`]: [
        "import type { Logger } from '../../../kernel/index.ts'",
        "import { limits } from '../../../kernel/thread/index.ts'",
        "import { open } from '../open.ts'",
      ],
      [`${folder}/open.ts`]: ['', "import { limits } from '../../kernel/index.ts'"],
      [`${folder}/host.ts`]: "import { limits } from '../../kernel/index.ts'",
    },
    `${folder}/open.ts:2 a thread would load all of server/src/kernel/index.ts`,
  )
})
