import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { testEngine } from '../fixtures/database.ts'
import { comes } from '../fixtures/demo.ts'
import { atEnd } from '../fixtures/ends.ts'
import { mayMount } from '../fixtures/processes/mounts.ts'
import { cli } from '../fixtures/processes/page.ts'

const mib = 1024 ** 2
const skip =
  (testEngine === 'external' && 'it is about the disk of the embedded engine') ||
  (!mayMount() && 'only root on Linux can give an instance a small disk of its own')

/** An instance whose data lie on a disk of `size`, in a namespace of its own. */
async function startOnDisk(t: TestContext, size: string) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-disk-'))
  const free = '127.0.0.1:0'
  const env = {
    ...process.env,
    MILLRACE_DATA: join(folder, 'data'),
    DATABASE_URL: '',
    MILLRACE_LOG: 'silent',
    MILLRACE_HTTP: free,
    MILLRACE_DEVICE_TLS: free,
    MILLRACE_MQTT_TLS: free,
  }
  const mounted = `mount -t tmpfs -o size=${size} tmpfs ${folder} && exec "$@"`
  const words = ['--mount', 'sh', '-c', mounted, 'sh', process.execPath, cli]
  const child = spawn('unshare', [...words, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  atEnd(t, async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    await rm(folder, { recursive: true, force: true })
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
  })
  const httpUrl = await comes(async () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    return /answers at (http:[^;\s]+)/.exec(printed)?.[1]
  })
  // Its disk, as it is seen from here.
  const disk = join('/proc', String(child.pid), 'root', folder)
  return { httpUrl, disk }
}

async function health(httpUrl: string) {
  const answer = await fetch(`${httpUrl}/healthz`)
  return { status: answer.status, text: await answer.text() }
}

async function fill(file: string): Promise<void> {
  for (let size = mib; size >= 512; size /= 2) {
    for (const full = { is: false }; !full.is; ) {
      await appendFile(file, Buffer.alloc(size)).catch((error: NodeJS.ErrnoException) => {
        assert.equal(error.code, 'ENOSPC')
        full.is = true
      })
    }
  }
}

describe('the health of an instance', () => {
  it('on a full disk is 503 with the reason, and 200 after there is space', { skip }, async (t) => {
    const { httpUrl, disk } = await startOnDisk(t, '220m')
    const works = await health(httpUrl)
    assert.deepEqual([works.status, JSON.parse(works.text).status], [200, 'ok'])
    const filler = join(disk, 'filler')
    await fill(filler)
    const full = await comes(async () => {
      const now = await health(httpUrl)
      return now.status === 503 ? now : undefined
    })
    assert.match(full.text, /The disk of .* is full: 0 MiB are left/)
    assert.equal((await fetch(`${httpUrl}/timestamp`)).status, 200)
    await rm(filler)
    await comes(async () => ((await health(httpUrl)).status === 200 ? true : undefined))
  })
})
