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
import { modules, wings } from './modules.ts'
import { assertClean, assertFinds } from './tree/assertions.ts'

test('the table of modules names only modules above a row, so no cycle can be written', () => {
  const above = new Set<string>()
  for (const { name, mayImport, typesOf = [] } of modules) {
    for (const one of [...mayImport, ...typesOf]) assert(above.has(one), `${name} names ${one}`)
    above.add(name)
  }
})

test('the wings are ten at most, and each has a module', () => {
  assert(wings.length <= 10)
  assert.deepEqual([...new Set(modules.map(({ wing }) => wing))], [...wings])
})

test('an import uphill is found, static, dynamic, as a type and as a re-export', () => {
  const up = '../../scripts/scripting/index.ts'
  const file = 'server/src/devices/device-api/server.ts'
  const message = 'the wing devices may not import the wing scripts'
  assertFinds(
    importsRunDownhill,
    {
      [file]: [
        "import { limits } from '../../foundation/kernel/index.ts'",
        `import { run } from '${up}'`,
        `const late = await import('${up}')`,
        `type Late = import('${up}').Run`,
        `export { run } from '${up}'`,
      ],
    },
    `${file}:2 ${message}`,
    `${file}:3 ${message}`,
    `${file}:4 ${message}`,
    `${file}:5 ${message}`,
  )
})

test('a module that its row does not name is refused, in the same wing and in one above', () => {
  const file = 'server/src/insight/policies/policies.ts'
  assertFinds(
    importsRunDownhill,
    {
      [file]: [
        "import { createAssets } from '../assets/index.ts'",
        "import { createJobs } from '../../log/jobs/index.ts'",
      ],
    },
    `${file}:1 policies may not import assets`,
    `${file}:2 policies may not import jobs`,
  )
})

test('imports downhill through index.ts, and inside the module, are clean', () => {
  assertClean(importsRunDownhill, {
    'server/src/devices/device-api/http/server.ts': [
      "import { createServer } from 'node:http'",
      "import { Fault } from '../../../foundation/kernel/index.ts'",
      "import { parse } from '../parse.ts'",
    ],
    'server/src/platform/config/config.ts':
      "import { limits } from '../../foundation/kernel/index.ts'",
    'server/src/main.ts': [
      "import { config } from './platform/config/index.ts'",
      "import { createGraphql } from './api/graphql/index.ts'",
      "import { listen } from './api/http/index.ts'",
    ],
    'server/src/api/http/listen.ts':
      "import type { DeviceHttp } from '../../devices/device-api/index.ts'",
    'server/src/platform/cli/start.ts': "import { main } from '../../main.ts'",
    'server/src/platform/cli/version.ts':
      "import manifest from '../../../package.json' with { type: 'json' }",
  })
})

test('a file inside another module is refused, from a module and from main.ts', () => {
  assertFinds(
    importsRunDownhill,
    {
      'server/src/devices/device-api/server.ts':
        "import { limits } from '../../foundation/kernel/limits.ts'",
      'server/src/main.ts': ['', "import { limits } from './foundation/kernel/limits.ts'"],
    },
    'server/src/devices/device-api/server.ts:1 ' +
      'import server/src/foundation/kernel/index.ts instead',
    'server/src/main.ts:2 import server/src/foundation/kernel/index.ts instead',
  )
})

test('a module takes neither the configuration, nor tests, nor another workspace', () => {
  assertFinds(
    importsRunDownhill,
    {
      'server/src/insight/assets/a.ts': "import { config } from '../../platform/config/index.ts'",
      'server/src/insight/assets/b.ts': "import { tree } from '../../../test/fixtures/tree.ts'",
      'server/src/insight/assets/c.ts': "import { x } from '../../../../insight-sdk/src/index.ts'",
      'server/src/main.ts': "import { x } from '../../console/app/x.ts'",
    },
    'server/src/insight/assets/a.ts:1 the wing insight may not import the wing platform',
    'server/src/insight/assets/b.ts:1 what is shipped must not import tests',
    'server/src/insight/assets/c.ts:1 insight-sdk/src/index.ts lies in another workspace',
    'server/src/main.ts:1 console/app/x.ts lies in another workspace',
  )
})

test('the listeners take the servers as arguments, and modules never take the listeners', () => {
  assertFinds(
    importsRunDownhill,
    {
      'server/src/api/http/listen.ts':
        "import { createDeviceHttp } from '../../devices/device-api/index.ts'",
      'server/src/devices/device-api/server.ts': "import { listen } from '../../api/http/index.ts'",
    },
    'server/src/devices/device-api/server.ts:1 the wing devices may not import the wing api',
    'server/src/api/http/listen.ts:1 http may not import device-api',
  )
})

test('a module that the table does not know is found', () => {
  assertFinds(
    importsRunDownhill,
    {
      'server/src/api/billing/index.ts': "import { Fault } from '../../foundation/kernel/index.ts'",
    },
    'server/src/api/billing/index.ts:1 api/billing is not in the table of modules',
  )
})

test('a service takes types of scripting, but nothing that runs, and never a sibling', () => {
  const service = 'server/src/scripts/services/http/index.ts'
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
      "import { createEventLog } from '../../src/log/eventlog/index.ts'",
      "import { shardOf } from '../../src/log/eventlog/shard.ts'",
    ],
    'server/src/insight/assets/signal.test.ts': [
      "import { worst } from './status.ts'",
      "import { createGraphql } from '../../api/graphql/index.ts'",
      "import { depth } from '../../api/graphql/depth.ts'",
    ],
  }
  assertFinds(
    testsUsePublicInterfaces,
    files,
    'server/src/insight/assets/signal.test.ts:3 ' +
      'server/src/api/graphql/depth.ts is inside a module: import its index.ts',
    'server/test/spec/write.test.ts:2 ' +
      'server/src/log/eventlog/shard.ts is inside a module: import its index.ts',
  )
  assertClean(testsUsePublicInterfaces, {
    'server/test/fixtures/engine.ts': [
      "import { startEngine } from '../../src/foundation/database/embedded/index.ts'",
      "import { config } from '../../src/platform/config/index.ts'",
    ],
  })
})

test('an import() of a computed name is found, a constant one is clean', () => {
  const file = 'server/src/scripts/scripting/load.ts'
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
      'server/src/insight/assets/store.ts': [
        "import { test } from 'node:test'",
        "import pg from 'pg'",
      ],
      'server/src/api/graphql/index.ts': "import cors from '@fastify/cors'",
      'server/src/main.ts': "import { pino } from 'pino'",
      'server/src/foundation/kernel/ids.ts': "import { nanoid } from 'nanoid/non-secure'",
    },
    'server/src/insight/assets/store.ts:2 pg belongs to database, not to assets',
    'server/src/api/graphql/index.ts:1 @fastify/cors belongs to management, not to graphql',
    'server/src/foundation/kernel/ids.ts:1 nanoid has no owner in the table of packages',
    'server/src/main.ts:1 pino belongs to kernel, not to server/src/main.ts',
  )
})

test('a package in its owner is clean, and tests may bring their own', () => {
  assertClean(packagesHaveOneOwner, {
    'server/src/foundation/database/pool.ts': "import pg from 'pg'",
    'server/src/api/management/index.ts': "import multipart from '@fastify/multipart'",
    'server/src/devices/provisioning/csr.ts': [
      "import 'reflect-metadata'",
      "import '@peculiar/x509'",
    ],
    'server/src/foundation/database/pool.test.ts': "import fc from 'fast-check'",
    'server/test/fixtures/database.ts': "import pg from 'pg'",
  })
})

test('of the SDK the server shares the wire types, and only with pipelines', () => {
  const protocol = "import type { SignalData } from '@millrace/insight-sdk/protocol'"
  assertFinds(
    packagesHaveOneOwner,
    {
      'server/src/api/graphql/links.ts': protocol,
      'server/src/insight/pipelines/run.ts': "import { serve } from '@millrace/insight-sdk'",
    },
    'server/src/api/graphql/links.ts:1 graphql may not import @millrace/insight-sdk/protocol',
    'server/src/insight/pipelines/run.ts:1 pipelines may not import @millrace/insight-sdk',
  )
  assertClean(packagesHaveOneOwner, {
    'server/src/insight/pipelines/run.ts': protocol,
    'server/src/insight/pipelines/run.test.ts': "import { serve } from '@millrace/insight-sdk'",
  })
})

test('a workspace that drags another in is found', () => {
  assertFinds(
    workspacesStandApart,
    {
      'console/app/api.ts': "import { Fault } from '../../server/src/foundation/kernel/index.ts'",
      'client/src/client.ts': "import { run } from '@millrace/cli/command'",
      'console/app/page.tsx': ['', "import { x } from '@millrace/insight-sdk/protocol'"],
      'insight-sdk/src/serve.ts':
        "import { Fault } from '../../server/src/foundation/kernel/index.ts'",
      'examples/meter/module.ts': "import { x } from '@millrace/server'",
    },
    'client/src/client.ts:1 client/src may not import @millrace/cli/command',
    'console/app/api.ts:1 console may not import server/src/foundation/kernel/index.ts',
    'console/app/page.tsx:2 console may not import @millrace/insight-sdk/protocol',
    'examples/meter/module.ts:1 examples may not import @millrace/server',
    'insight-sdk/src/serve.ts:1 insight-sdk may not import server/src/foundation/kernel/index.ts',
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
    { 'server/src/insight/assets/all.ts': barrel, 'insight-sdk/src/all.ts': barrel },
    'insight-sdk/src/all.ts:2 re-export outside a module’s index.ts',
    'insight-sdk/src/all.ts:3 re-export outside a module’s index.ts',
    'server/src/insight/assets/all.ts:2 re-export outside a module’s index.ts',
    'server/src/insight/assets/all.ts:3 re-export outside a module’s index.ts',
  )
  assertClean(reexportsOnlyInIndexes, {
    'server/src/insight/assets/index.ts': barrel,
    'server/src/foundation/database/embedded/index.ts': barrel,
    'insight-sdk/src/protocol.ts': barrel,
    'server/src/insight/assets/a.ts': ['const a = 1', 'export { a }'],
  })
})

test('a file of the worker threads takes the part of the kernel for threads', () => {
  const folder = 'server/src/scripts/scripting/runtime'
  const entry = "import { serve } from './serve.ts'"
  assertFinds(
    threadsLoadLittle,
    {
      [`${folder}/thread/worker.ts`]: entry,
      [`${folder}/thread/serve.ts`]: [
        "import type { Logger } from '../../../../foundation/kernel/index.ts'",
        "import { limits } from '../../../../foundation/kernel/thread/index.ts'",
        "import { open } from '../open.ts'",
      ],
      [`${folder}/open.ts`]: ['', "import { limits } from '../../../foundation/kernel/index.ts'"],
      [`${folder}/host.ts`]: "import { limits } from '../../../foundation/kernel/index.ts'",
    },
    `${folder}/open.ts:2 a thread would load all of server/src/foundation/kernel/index.ts`,
  )
})
