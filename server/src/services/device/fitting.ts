import { limits } from '../../kernel/index.ts'
import type { IdentityPage } from '../../provisioning/index.ts'

/** The size of the answer without its devices. */
const around = { bytes: 100, nodes: 10 }

/**
 * Returns as many devices of a page as fit in the answer of one call; the next call gets the rest.
 * One that is too much alone stays, and the call of its script fails.
 */
export function fitting({ devices, mayLoadMore, total }: IdentityPage): IdentityPage {
  let { bytes, nodes } = around
  const first = devices.findIndex((device) => {
    bytes += JSON.stringify(device).length
    nodes += nodesOf(device)
    return bytes > limits.scriptValueBytesMax || nodes > limits.scriptValueNodesMax
  })
  if (first === -1) return { devices, mayLoadMore, total }
  return { devices: devices.slice(0, Math.max(1, first)), mayLoadMore: true, total }
}

function nodesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, one) => sum + nodesOf(one), 1)
}
