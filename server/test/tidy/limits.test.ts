import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { limitsPage } from '../../../dev/generate/limits.ts'
import { settableLimitsAreReadLate } from './limits.ts'
import { assertClean, assertFinds } from './tree/assertions.ts'

test('a limit without a comment of its own is found', () => {
  const source = '/** Two. */\n  pageMax: settable(1, 1, 1),\n  sessionHours: settable(2, 1, 2),\n'
  assert.throws(() => limitsPage(() => source), /sessionHours has no comment of its own/)
})

test('a settable limit that is read while its module loads is found', () => {
  const late = 'server/src/insight/assets/a.ts'
  assertFinds(
    settableLimitsAreReadLate,
    {
      [late]: [
        'const size = { max: limits.pageMax }',
        'const { sessionHours, jsonDepthMax } = limits',
        'class Cache { static max = limits.modulesMax }',
      ],
    },
    `${late}:1 pageMax is settable: read it in a function, not while the module loads`,
    `${late}:2 sessionHours is settable: read it in a function, not while the module loads`,
    `${late}:3 modulesMax is settable: read it in a function, not while the module loads`,
  )
  assertClean(settableLimitsAreReadLate, {
    [late]: [
      'const size = () => ({ max: limits.pageMax })',
      'const depth = limits.jsonDepthMax',
      'class Cache { max = limits.modulesMax }',
    ],
  })
})
