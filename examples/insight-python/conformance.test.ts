import { deepEqual, equal, match } from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkModule } from '@millrace/insight-sdk'

const hasPython = spawnSync('python3', ['--version']).status === 0
const skip = hasPython ? false : 'this machine has no Python'

test('a module in plain Python passes every check of the protocol', { skip }, async (t) => {
  const env = { ...process.env, PORT: '0' }
  const main = join(import.meta.dirname, 'main.py')
  const child = spawn('python3', [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => void child.kill())
  const [printed] = await once(child.stdout.setEncoding('utf8'), 'data')
  const url = String(printed).trim()
  match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
  const { checks } = await checkModule(url)
  deepEqual(
    checks.filter(({ ok }) => !ok),
    [],
  )
  const data = [{ ts: 1, value: 100, origin: 'o', generated: 'o', ttl: 3 }]
  const args = { function_id: 'fahrenheit', constants: { offset: 1 } }
  const body = JSON.stringify({ id: 'link', data, args })
  const answer = await fetch(`${url}/process`, { method: 'POST', body })
  const [[result]] = (await answer.json()) as [[{ value: number; ttl: number }]]
  equal(result.value, 213)
  equal(result.ttl, 3)
})
