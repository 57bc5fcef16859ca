import type { Entry } from './command.ts'
import { assetCommands } from './commands/asset.ts'
import { connectorCommands } from './commands/connector.ts'
import { deviceCommands } from './commands/device.ts'
import { insightCommands } from './commands/insight.ts'
import { instanceCommands } from './commands/instance.ts'
import { interfaceCommands } from './commands/interface.ts'
import { marketplaceCommands } from './commands/marketplace.ts'
import { notificationsCommands } from './commands/notifications.ts'
import { peopleCommands } from './commands/people.ts'
import { solutionCommands } from './commands/solution.ts'

/** Every command of the API by its words. A module is loaded when its command runs. */
export const commands: Readonly<Record<string, Entry>> = {
  ...instanceCommands,
  ...peopleCommands,
  ...marketplaceCommands,
  ...assetCommands,
  ...connectorCommands,
  ...solutionCommands,
  ...interfaceCommands,
  ...deviceCommands,
  ...notificationsCommands,
  ...insightCommands,
}
