import { isDeepStrictEqual } from 'node:util'
import { type Provisioning, parseConnectorFile } from '../../../devices/provisioning/index.ts'
import { limits } from '../../../foundation/kernel/index.ts'
import type { OwnServices } from '../../scripting/index.ts'
import { connectorOutline, connectorService } from './connector-services.ts'
import type { DevicesOptions } from './implementation.ts'

/** The file defines the connector's resources whole. */
const how = { resources: 'replaced' } as const

/** Makes the connector of a solution from its `services/device2.yaml`, and changes it. */
export function createOwnConnectors(
  options: DevicesOptions & Pick<Provisioning, 'connectors'>,
): OwnServices {
  const { connectors } = options
  return {
    alias: 'device2',
    outline: connectorOutline,
    async prepare({ businessId, solutionName, current, body, note }) {
      const { settings, dropped, refused } = parseConnectorFile(body)
      for (const sentence of refused) note(`device2: ${sentence}`)
      for (const field of dropped) {
        note(`device2 has no setting ${field.slice(0, limits.nameCharsMax)}: it is kept as it is`)
      }
      const named = current === undefined ? { name: solutionName, ...settings } : settings
      const { before, after } = await connectors.preview(businessId, current, named, how)
      const change =
        current === undefined
          ? await connectors.prepareCreate(businessId, named)
          : connectors.preparePatch(businessId, current, named, how)
      return {
        isChange: current === undefined || !isDeepStrictEqual(before, after),
        service: connectorService(options, change.id),
        async storeIn(transaction) {
          await change.storeIn(transaction)
        },
        stored: change.stored,
      }
    },
  }
}
