import { test } from 'node:test'
import {
  exportsHaveNames,
  nothingIsAmbient,
  onlyKernelDecodes,
  onlyLaunchersAreProcesses,
  onlyOutboundDials,
} from './ambient.ts'
import { assertClean, assertFinds } from './tree/assertions.ts'

const ambient = [
  'const a = process.env.HOME',
  "const b = process['env']",
  'const c = Date.now()',
  'const d = new Date()',
  'const e = Math.random()',
  'const f = performance.now()',
  "import { createHash, randomBytes } from 'node:crypto'",
  'const g = crypto.randomUUID()',
  'const clock = Date.now',
]

test('the environment, the clock and randomness are found in a module', () => {
  const file = 'server/src/insight/assets/a.ts'
  assertFinds(
    nothingIsAmbient,
    { [file]: ambient },
    `${file}:1 process.env must be an argument`,
    `${file}:2 process.env must be an argument`,
    `${file}:3 Date.now must be an argument`,
    `${file}:4 the time of now must be an argument`,
    `${file}:5 Math.random must be an argument`,
    `${file}:6 performance.now must be an argument`,
    `${file}:7 randomBytes must be an argument`,
    `${file}:8 crypto.randomUUID must be an argument`,
    `${file}:9 Date.now must be an argument`,
  )
})

test('where the world comes in, and in tests, the same lines are clean', () => {
  assertClean(nothingIsAmbient, {
    'server/src/main.ts': ambient,
    'server/src/platform/config/config.ts': ambient,
    'server/src/platform/cli/start.ts': ambient,
    'server/src/foundation/kernel/clock.ts': ambient,
    'server/src/insight/assets/a.test.ts': ambient,
    'server/src/insight/assets/a.ts': [
      '// Date.now() in a comment is prose.',
      'const at = new Date(clock.nowMs())',
      "const text = 'process.env'",
      "import { createHash } from 'node:crypto'",
    ],
  })
})

test('dialling out beside outbound is found, inside it is clean', () => {
  const dials = [
    "const a = await fetch('http://127.0.0.1')",
    "import { request } from 'node:https'",
  ]
  assertFinds(
    onlyOutboundDials,
    { 'server/src/insight/pipelines/run.ts': dials },
    'server/src/insight/pipelines/run.ts:1 fetch dials out: ask outbound',
    'server/src/insight/pipelines/run.ts:2 an HTTP client dials out: ask outbound',
  )
  assertClean(onlyOutboundDials, {
    'server/src/foundation/outbound/call.ts': dials,
    'server/src/devices/device-api/server.ts': "import { createServer } from 'node:http'",
    'server/src/insight/pipelines/run.test.ts': dials,
  })
})

test('decoding beside the kernel is found', () => {
  const decodes = [
    "const a = bytes.toString('utf8')",
    'const b = bytes.toString()',
    'const c = JSON.parse(text)',
    "const d = new TextDecoder('utf-8')",
    'const e = isUtf8(bytes)',
    "stream.setEncoding('utf8')",
    'const f = list.map(JSON.parse)',
  ]
  const file = 'server/src/api/graphql/request.ts'
  assertFinds(
    onlyKernelDecodes,
    { [file]: decodes },
    ...[
      'toString',
      'toString',
      'JSON.parse',
      'TextDecoder',
      'isUtf8',
      'setEncoding',
      'JSON.parse',
    ].map((what, at) => `${file}:${at + 1} ${what} decodes: take a function of kernel/text`),
  )
  assertClean(onlyKernelDecodes, {
    'server/src/foundation/kernel/text/text.ts': decodes,
    'server/src/insight/assets/store.ts': decodes,
    'server/src/log/jobs/store/dead-jobs.ts': decodes,
    [file]: ["const a = bytes.toString('base64')", 'const b = count.toString(36)'],
  })
})

test('a default export is found, a named one and a tool’s configuration are clean', () => {
  assertFinds(
    exportsHaveNames,
    {
      'server/src/insight/assets/a.ts': ['const a = 1', 'export default a'],
      'insight-sdk/src/b.ts': ['const b = 1', 'export { b as default }'],
    },
    'insight-sdk/src/b.ts:2 default export',
    'server/src/insight/assets/a.ts:2 default export',
  )
  assertClean(exportsHaveNames, {
    'server/src/insight/assets/a.ts': 'export const a = 1',
    'console/vite.config.ts': 'export default {}',
  })
})

test('the process outside a launcher is found, in a launcher it is clean', () => {
  const touches = ['if (failed) {', '  process.exit(1)', '}', "process.stdout.write('a')"]
  assertFinds(
    onlyLaunchersAreProcesses,
    { 'cli/src/commands/a.ts': touches, 'server/src/main.ts': touches },
    'cli/src/commands/a.ts:2 process.exit outside a launcher',
    'cli/src/commands/a.ts:4 process.stdout outside a launcher',
    'server/src/main.ts:2 process.exit outside a launcher',
    'server/src/main.ts:4 process.stdout outside a launcher',
  )
  assertClean(onlyLaunchersAreProcesses, {
    'cli/src/cli.ts': touches,
    'insight-sdk/src/cli.ts': touches,
    'insight-sdk/src/serve.ts': 'process.kill(process.pid, 0)',
  })
})
