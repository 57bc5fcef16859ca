import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { it } from 'node:test'
import { demoSettings, freeAddress, startDemo } from '../support/demo.ts'
import { pastePage, root } from '../support/page.ts'

it('docs/using/example-solutions.md: its commands work, copied as they stand', async (t) => {
  const http = await freeAddress()
  const own = { MILLRACE_HTTP: http, MILLRACE_OUTBOUND_ALLOW: http, MILLRACE_LOG: 'silent' }
  const settings: Readonly<Record<string, string>> = { ...(await demoSettings(t)), ...own }
  const { stop } = await startDemo(t, settings)
  const folder = dirname(settings.MILLRACE_DATA ?? '')
  await symlink(join(root, 'examples'), join(folder, 'examples'))
  const { stdout } = await pastePage('example-solutions.md', { folder, settings })
  assert.match(stdout, /^\{"stations":\[/)
  assert.match(stdout, /^added {5}service device2$/m)
  // A script's table has no order.
  const called = stdout.split('\n').find((line) => line.includes('"identity":"seattle-1"'))
  assert.match(called ?? '', /"readings":\{[^}]*"temperature":-?\d/)
  assert.match(stdout, /^added {5}endpoint PUT \/stations\/\{id\}\/name$/m)
  assert.match(stdout, /^\{"stations":\[\{[^\n]*"id":"seattle-3"/m)
  assert.match(stdout, /"columns":\["time","temperature"\]/)
  assert.match(stdout, /^\{[^\n]*"temperature":\{[^}]*"count":\d/m)
  assert.match(stdout, / info {3}handle_timer_timer {2}\d+ temperatures, at most \d/)
  assert.match(stdout, /"code":"unknown_credential"[^\n]*401\n200\n\{[^\n]*"name":"Roof"/)
  assert.match(stdout, /"linkFunction":\{"id":"[a-z0-9]+"\}/)
  assert.match(stdout, /"name":"Fahrenheit fahrenheit","lastValue":\{"value":-?\d/)
  assert.equal(await stop(), 0)
})
