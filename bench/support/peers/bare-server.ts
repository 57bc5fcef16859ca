import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from '../frame/child.ts'

/** The peer of a device write: node:http that reads the body, answers 204 and keeps nothing. */
const server = createServer((message, response) => {
  const chunks: Buffer[] = []
  message.on('data', (chunk: Buffer) => chunks.push(chunk))
  message.on('end', () => {
    Buffer.concat(chunks)
    response.writeHead(204)
    response.end()
  })
})

answerParent(
  {
    open: () =>
      new Promise((resolve) => {
        server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
      }),
  },
  () => server.closeAllConnections(),
)
