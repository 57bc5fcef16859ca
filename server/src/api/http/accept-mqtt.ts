import type { Server as HttpsServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { DeviceMqtt } from '../../devices/device-api/index.ts'

/** The first byte of a CONNECT, which is that of no HTTP request. */
const connectByte = 0x10

/**
 * Accepts MQTT on the port of HTTPS: many networks let nothing out but port 443.
 * @returns a function that drops the connections that have not sent anything yet.
 */
export function acceptMqtt(server: HttpsServer, mqtt: DeviceMqtt, silentMs: number): () => void {
  const silent = new Set<TLSSocket>()
  const toHttp = server.listeners('secureConnection')
  server.removeAllListeners('secureConnection')
  server.on('secureConnection', (socket: TLSSocket) => {
    const drop = () => socket.destroy()
    const forget = () => silent.delete(socket)
    silent.add(socket)
    socket.once('close', forget)
    socket.setTimeout(silentMs, drop)
    socket.on('error', drop)
    socket.once('readable', () => {
      const chunk: Buffer | null = socket.read()
      if (chunk === null) return drop()
      forget()
      socket.off('close', forget)
      socket.setTimeout(0)
      socket.off('timeout', drop)
      socket.off('error', drop)
      socket.unshift(chunk)
      if (chunk[0] === connectByte) mqtt.accept(socket)
      else for (const listener of toHttp) listener.call(server, socket)
    })
  })
  return () => {
    for (const socket of silent) socket.destroy()
  }
}
