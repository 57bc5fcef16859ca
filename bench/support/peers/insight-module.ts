import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from '../frame/child.ts'

/** An insight module that costs next to nothing: it answers what it gets, and can hang. */

export type OpenedModule = { readonly port: number }

type Datum = { readonly value: number }

const inlet = { name: 'in', primitive_type: 'NUMERIC' }
const outlet = { name: 'out', primitive_type: 'NUMERIC' }
const echo = { id: 'echo', name: 'Echo', description: 'The same.', type: 'transform' }
const insights = [{ ...echo, inlets: [inlet], outlets: [outlet] }]
const answers: Readonly<Record<string, unknown>> = {
  '/info': { group_id_required: false, name: 'Bench' },
  '/insights': { total: 1, count: 1, insights },
}

let hangs = false
/** The calls that are answered once it does not hang any more. */
let waiting: (() => void)[] = []
let calls = 0

const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  const answer = answers[request.url ?? '']
  if (answer !== undefined) end(response, JSON.stringify(answer))
  else if (request.url !== '/process') response.writeHead(404).end()
  else if (hangs) waiting.push(() => answerCall(response, text))
  else answerCall(response, text)
})

function answerCall(response: ServerResponse, text: string): void {
  calls += 1
  const { data } = JSON.parse(text) as { readonly data: readonly Datum[] }
  end(response, JSON.stringify([data]))
}

function end(response: ServerResponse, text: string): void {
  response.setHeader('content-type', 'application/json').end(text)
}

async function open(): Promise<OpenedModule> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port }
}

function hang({ on }: { readonly on: boolean }): void {
  hangs = on
  if (on) return
  for (const answer of waiting) answer()
  waiting = []
}

answerParent({ open, hang, called: () => calls }, () => server.close())
