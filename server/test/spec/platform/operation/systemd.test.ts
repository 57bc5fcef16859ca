import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { waitMsMax } from '../../../fixtures/bounds.ts'
import { atEnd } from '../../../fixtures/ends.ts'
import { startCli } from '../../../fixtures/processes/cli-process.ts'

/** Prints each message that comes, as systemd receives it. */
const listener = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print("bound", flush=True)
while True:
    print(s.recv(4096).decode().replace("\\n", " "), flush=True)
`

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0
const skip =
  isThere('systemd-notify') && isThere('python3')
    ? false
    : 'systemd-notify or python3 is missing on this machine'

it('a service notifies systemd: ready, alive, stopping', {
  skip,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-systemd-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true, maxRetries: 20 }))
  const socket = join(folder, 'notify')
  const manager = spawn('python3', ['-c', listener, socket])
  atEnd(t, () => void manager.kill())
  let received = ''
  manager.stdout.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  const receives = async (part: RegExp) => {
    for (const deadline = Date.now() + waitMsMax; !part.test(received); ) {
      assert.ok(Date.now() < deadline, `${part} in ${received}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  await receives(/bound/)
  const { DATABASE_URL: _server, ...rest } = process.env
  const free = { MILLRACE_HTTP: '127.0.0.1:0', MILLRACE_DEVICE_TLS: '127.0.0.1:0' }
  const unit = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '400000' }
  const env = {
    ...rest,
    ...free,
    ...unit,
    MILLRACE_MQTT_TLS: 'off',
    MILLRACE_DATA: join(folder, 'data'),
  }
  const service = startCli(t, ['serve'], { cwd: folder, env })
  await service.prints(/Millrace answers at/)
  await receives(/READY=1/)
  await receives(/(WATCHDOG=1[\s\S]*){2}/)
  assert.equal(await service.end('SIGTERM'), 0)
  await receives(/STOPPING=1/)
})
