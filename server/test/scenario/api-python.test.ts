import { strict as assert } from 'node:assert'
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { waitMsMax } from '../fixtures/bounds.ts'
import { testPlatform } from '../fixtures/platform.ts'

const python = 'python3'
const client = join(import.meta.dirname, '..', 'fixtures', 'wire', 'api_client.py')
const hasPython = spawnSync(python, ['--version'], { timeout: waitMsMax }).status === 0
const skip = hasPython ? false : `this machine has no ${python}`

it('lets a program in Python drive a device by the document alone', { skip }, async (t) => {
  const { httpUrl, token } = await testPlatform(t)
  const options = { timeout: waitMsMax, env: { PATH: process.env.PATH, PYTHONUTF8: '1' } }
  const args = [client, new URL(httpUrl).origin, token, 'bypython']
  const { stdout } = await promisify(execFile)(python, args, options)
  assert.deepEqual(JSON.parse(stdout), {
    created: 201,
    whitelisted: 200,
    activated: 200,
    written: 204,
    read: 200,
    reported: '21.5',
    refused: 409,
    code: 'connector_in_use',
    deleted: 204,
    gone: 404,
  })
})
