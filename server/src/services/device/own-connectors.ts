import { isDeepStrictEqual } from 'node:util'
import { type Fields, limits } from '../../kernel/index.ts'
import type { Provisioning, SettingsInput } from '../../provisioning/index.ts'
import type { OwnServices } from '../../scripting/index.ts'
import { connectorOutline } from './connector-services.ts'

/** Reads the settings in the file of a project, and lists the fields without a meaning here. */
export type ReadConnectorFile = (body: Fields) => {
  readonly settings: SettingsInput
  readonly dropped: readonly string[]
}

/** The file defines the connector's resources whole. */
const how = { resources: 'replaced' } as const

/** Makes the connector of a solution from its `services/device2.yaml`, and changes it. */
export function createOwnConnectors(
  { connectors, removals }: Pick<Provisioning, 'connectors' | 'removals'>,
  read: ReadConnectorFile,
): OwnServices {
  return {
    alias: 'device2',
    outline: connectorOutline,
    async prepare({ businessId, solutionName, current, body, note }) {
      const { settings, dropped } = read(body)
      for (const field of dropped) {
        note(`device2 has no setting ${field.slice(0, limits.nameCharsMax)}: it is kept as it is`)
      }
      const named = current === undefined ? { name: solutionName, ...settings } : settings
      const { before, after } = await connectors.preview(businessId, current, named, how)
      let made: string | undefined
      return {
        isChange: current === undefined || !isDeepStrictEqual(before, after),
        async apply() {
          if (current !== undefined) {
            return (await connectors.patch(businessId, current, named, how)).id
          }
          made = (await connectors.create(businessId, named)).id
          return made
        },
        async undo() {
          if (made !== undefined) await removals.remove(businessId, made)
          made = undefined
        },
      }
    },
  }
}
