import { spawn } from 'node:child_process'
import { waitMsMax } from './bounds.ts'

/** What a device got that speaks TLS by `openssl s_client`. */
export type SClientAnswer = {
  /** Everything that openssl said, the answer among it. */
  readonly output: string
  /** Whether the session was resumed. */
  readonly reused: boolean
  /** 0 where there was no HTTP answer. */
  readonly status: number
  readonly body: string
}

/** One HTTP request over a TLS connection of openssl's, which ends after the answer. */
export function sClient(
  port: string,
  args: readonly string[],
  request: {
    readonly method?: string
    readonly path: string
    readonly host: string
    body?: string
  },
): Promise<SClientAnswer> {
  const { method = 'POST', path, host, body = '' } = request
  const child = spawn('openssl', ['s_client', '-connect', `127.0.0.1:${port}`, '-ign_eof', ...args])
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close']
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  let output = ''
  const add = (chunk: Buffer) => {
    output += chunk.toString('latin1')
  }
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  child.stdin.on('error', () => {})
  child.stdin.write(`${[...lines, length].join('\r\n')}\r\n\r\n${body}`)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`openssl did not end: ${output}`))
    }, waitMsMax)
    child.on('error', reject)
    child.on('close', () => {
      clearTimeout(timer)
      resolve(answerIn(output))
    })
  })
}

/** openssl says its own words in pieces, and the answer may stand inside one of its lines. */
function answerIn(output: string): SClientAnswer {
  const head = output.search(/HTTP\/1\.1 \d{3} /)
  if (head < 0) return { output, reused: isReused(output), status: 0, body: '' }
  const end = output.indexOf('\r\n\r\n', head) + 4
  const lines = output.slice(head, end)
  const bytes = Number(/^Content-Length: (\d+)/m.exec(lines)?.[1] ?? 0)
  const said = output.slice(0, head) + output.slice(end + bytes)
  const status = Number(lines.split(' ')[1])
  return { output, reused: isReused(said), status, body: output.slice(end, end + bytes) }
}

function isReused(said: string): boolean {
  return /^Reused, TLSv/m.test(said)
}
