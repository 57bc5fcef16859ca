import type { Command } from './command.ts'

/** A command before it is loaded. */
export type Entry = {
  /** One sentence for the list of commands. */
  readonly summary: string
  load(): Promise<Command>
}

/** Every command of the API by its words. A module is loaded when its command runs. */
export const commands: Readonly<Record<string, Entry>> = {
  login: {
    summary: 'Log in to an instance, and keep its token for later commands.',
    load: async () => (await import('./commands/login.ts')).login,
  },
  logout: {
    summary: 'Forget the login, and end its session.',
    load: async () => (await import('./commands/login.ts')).logout,
  },
  whoami: {
    summary: 'Show the instance, the account and its permissions.',
    load: async () => (await import('./commands/login.ts')).whoami,
  },
  completion: {
    summary: 'Print a script that completes command lines in a shell.',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  'business create': {
    summary: 'Create a business with its first account, an Administrator.',
    load: async () => (await import('./commands/accounts.ts')).businessCreate,
  },
  'business list': {
    summary: 'Print the businesses of the instance.',
    load: async () => (await import('./commands/accounts.ts')).businessList,
  },
  'user list': {
    summary: 'Print the users of a business, with their roles.',
    load: async () => (await import('./commands/users.ts')).userList,
  },
  'user create': {
    summary: 'Create a user of a business, and print its id.',
    load: async () => (await import('./commands/users.ts')).userCreate,
  },
  'user password': {
    summary: 'Set the password of a user, and end its sessions.',
    load: async () => (await import('./commands/users.ts')).userPassword,
  },
  'user delete': {
    summary: 'Delete a user, and end its sessions.',
    load: async () => (await import('./commands/users.ts')).userDelete,
  },
  'token create': {
    summary: 'Create an API token; it is printed once and cannot be shown again.',
    load: async () => (await import('./commands/tokens.ts')).tokenCreate,
  },
  'token list': {
    summary: 'Print the API tokens of a business, newest first.',
    load: async () => (await import('./commands/tokens.ts')).tokenList,
  },
  'token revoke': {
    summary: 'Revoke an API token: from then on it is refused.',
    load: async () => (await import('./commands/tokens.ts')).tokenRevoke,
  },
  'module add': {
    summary: 'Register an insight module by its address, and print its id.',
    load: async () => (await import('./commands/modules.ts')).moduleAdd,
  },
  'module list': {
    summary: 'Print the insight modules of a business, the built-in one first.',
    load: async () => (await import('./commands/modules.ts')).moduleList,
  },
  'module remove': {
    summary: 'Remove an insight module that no link uses.',
    load: async () => (await import('./commands/modules.ts')).moduleRemove,
  },
  'outbound allow': {
    summary: 'Allow the scripts of one business to call a private address.',
    load: async () => (await import('./commands/outbound.ts')).outboundAllow,
  },
  'outbound list': {
    summary: 'Print the private addresses that the scripts of one business may call.',
    load: async () => (await import('./commands/outbound.ts')).outboundList,
  },
  'outbound remove': {
    summary: 'Forbid the scripts of one business to call a private address again.',
    load: async () => (await import('./commands/outbound.ts')).outboundRemove,
  },
  'ledger show': {
    summary: 'Print the counts per stage and hour, newest first.',
    load: async () => (await import('./commands/ledger.ts')).ledgerShow,
  },
  'connector create': {
    summary: 'Create a connector, and print its id and its host.',
    load: async () => (await import('./commands/connector/connectors.ts')).connectorCreate,
  },
  'connector import': {
    summary: 'Create a connector from an exported definition, YAML or JSON.',
    load: async () => (await import('./commands/connector/connectors.ts')).connectorImport,
  },
  'connector settings': {
    summary: 'Show the settings of a connector, or change those that a file names.',
    load: async () => (await import('./commands/connector/connectors.ts')).connectorSettings,
  },
  'connector resources': {
    summary: 'Show the resources of a connector; with --file and --remove, change some first.',
    load: async () => (await import('./commands/connector/resources.ts')).connectorResources,
  },
  'connector logs': {
    summary:
      'Print the log of a connector, oldest line first; with --follow, keep printing new lines.',
    load: async () => (await import('./commands/connector/logs.ts')).connectorLogs,
  },
  'connector list': {
    summary: 'Print the connectors of a business.',
    load: async () => (await import('./commands/connector/connectors.ts')).connectorList,
  },
  'connector delete': {
    summary:
      'Delete a connector with its settings, contents and values, and close its connections.',
    load: async () => (await import('./commands/connector/connectors.ts')).connectorDelete,
  },
  'ca create': {
    summary: 'Create the built-in certificate authority of a connector, and print its certificate.',
    load: async () => (await import('./commands/connector/authority.ts')).caCreate,
  },
  'ca show': {
    summary: 'Print the certificate of the built-in certificate authority of a connector.',
    load: async () => (await import('./commands/connector/authority.ts')).caShow,
  },
  'ca crl': {
    summary: "Print the revocation list (CRL) of a connector's client CA, replace or remove it.",
    load: async () => (await import('./commands/connector/authority.ts')).caCrl,
  },
  'content list': {
    summary: 'Print the contents that the devices of a connector may download.',
    load: async () => (await import('./commands/connector/contents.ts')).contentList,
  },
  'content put': {
    summary: 'Upload a file that the devices of a connector may download.',
    load: async () => (await import('./commands/connector/contents.ts')).contentPut,
  },
  'content show': {
    summary: 'Print the details of a content.',
    load: async () => (await import('./commands/connector/contents.ts')).contentShow,
  },
  'content remove': {
    summary: 'Delete a content; downloads in progress go on.',
    load: async () => (await import('./commands/connector/contents.ts')).contentRemove,
  },
  'solution create': {
    summary: 'Create a solution, and print its id.',
    load: async () => (await import('./commands/solution/solutions.ts')).solutionCreate,
  },
  'solution list': {
    summary: 'Print the solutions of a business, oldest first.',
    load: async () => (await import('./commands/solution/solutions.ts')).solutionList,
  },
  'solution show': {
    summary: 'Print the limits, services and scripts of a solution.',
    load: async () => (await import('./commands/solution/solutions.ts')).solutionShow,
  },
  'solution settings': {
    summary: 'Show the settings of a solution, or change those that a file names.',
    load: async () => (await import('./commands/solution/solutions.ts')).solutionSettings,
  },
  'solution delete': {
    summary: 'Delete a solution with its scripts, services and failures.',
    load: async () => (await import('./commands/solution/solutions.ts')).solutionDelete,
  },
  'solution logs': {
    summary:
      'Print the log of a solution, oldest line first; with --follow, keep printing new lines.',
    load: async () => (await import('./commands/solution/logs.ts')).solutionLogs,
  },
  'solution failures': {
    summary: 'Print the events that a solution failed to handle, newest first.',
    load: async () => (await import('./commands/solution/failures.ts')).solutionFailures,
  },
  'solution failures discard': {
    summary: 'Delete events that a solution failed to handle: one, or all.',
    load: async () => (await import('./commands/solution/failures.ts')).solutionFailuresDiscard,
  },
  'solution retry': {
    summary: 'Retry events that a solution failed to handle: one, or all.',
    load: async () => (await import('./commands/solution/failures.ts')).solutionRetry,
  },
  'solution run': {
    summary: 'Run one handler now, and print its log and its result; it calls real services.',
    load: async () => (await import('./commands/solution/run.ts')).solutionRun,
  },
  'solution stubs': {
    summary: 'Write what editors need to complete and check calls of services (LuaLS).',
    load: async () => (await import('./commands/solution/stubs.ts')).solutionStubs,
  },
  'solution service add': {
    summary: 'Add a service to a solution, and print the id of its configuration.',
    load: async () => (await import('./commands/solution/services.ts')).solutionServiceAdd,
  },
  'solution service list': {
    summary: 'Print the services of a solution.',
    load: async () => (await import('./commands/solution/services.ts')).solutionServiceList,
  },
  'solution service show': {
    summary: 'Print the settings of a service of a solution, as JSON.',
    load: async () => (await import('./commands/solution/services.ts')).solutionServiceShow,
  },
  'solution service set': {
    summary: 'Change the settings of a service of a solution.',
    load: async () => (await import('./commands/solution/services.ts')).solutionServiceSet,
  },
  'solution service remove': {
    summary: 'Remove a service from a solution; its handlers stay.',
    load: async () => (await import('./commands/solution/services.ts')).solutionServiceRemove,
  },
  'interface show': {
    summary: 'Print the service that a solution exposes, as JSON.',
    load: async () => (await import('./commands/interface/definition.ts')).interfaceShow,
  },
  'interface check': {
    summary: 'Compare a definition with the live one; exit with 1 if it breaks a subscriber.',
    load: async () => (await import('./commands/interface/definition.ts')).interfaceCheck,
  },
  'interface client': {
    summary: 'Write a typed client of an exposed solution, in TypeScript or Lua.',
    load: async () => (await import('./commands/interface/client.ts')).interfaceClient,
  },
  'interface call': {
    summary: 'Call an operation of an exposed solution, and print its result.',
    load: async () => (await import('./commands/interface/call.ts')).interfaceCall,
  },
  'interface subscribers': {
    summary: 'Print the subscribers of an exposed solution and how much of their quotas is used.',
    load: async () => (await import('./commands/interface/subscribers.ts')).interfaceSubscribers,
  },
  'interface quota': {
    summary: 'Set the calls that a subscriber may make in a day and in a month (UTC).',
    load: async () => (await import('./commands/interface/subscribers.ts')).interfaceQuota,
  },
  'device list': {
    summary: 'Print the identities of a connector, last seen first.',
    load: async () => (await import('./commands/device/devices.ts')).deviceList,
  },
  'device add': {
    summary: 'Whitelist an identity, or change what is given of one that is there.',
    load: async () => (await import('./commands/device/add.ts')).deviceAdd,
  },
  'device whitelist': {
    summary: 'Whitelist the identities of a CSV file (columns ID, TLS Client Certificate, Tags).',
    load: async () => (await import('./commands/device/whitelist.ts')).deviceWhitelist,
  },
  'device simulate': {
    summary: 'Simulate devices on this machine that activate and write data_in over real sockets.',
    load: async () => (await import('./commands/device/simulate.ts')).deviceSimulate,
  },
  'device state': {
    summary: 'Print the values of a device; with --set, change some first.',
    load: async () => (await import('./commands/device/state.ts')).deviceState,
  },
  'device tags': {
    summary: 'Print the tags of an identity; with --add and --remove, change them first.',
    load: async () => (await import('./commands/device/tags.ts')).deviceTags,
  },
  'device lock': {
    summary: 'Lock a device and close its connections.',
    load: async () => (await import('./commands/device/lock.ts')).deviceLock,
  },
  'device unlock': {
    summary: 'Unlock a device; it keeps its credential, or activates again with --reprovision.',
    load: async () => (await import('./commands/device/lock.ts')).deviceUnlock,
  },
  'device remove': {
    summary: 'Delete an identity with its credential and its values.',
    load: async () => (await import('./commands/device/devices.ts')).deviceRemove,
  },
  'device reprovision': {
    summary: 'Order provisioned devices to activate again; their credentials are revoked at once.',
    load: async () => (await import('./commands/device/lifecycle.ts')).deviceReprovision,
  },
  'device rotate': {
    summary: 'Let a device have a second credential, until it uses the new one or the window ends.',
    load: async () => (await import('./commands/device/lifecycle.ts')).deviceRotate,
  },
  'device rotation': {
    summary: "Print the open rotation of a device's credential.",
    load: async () => (await import('./commands/device/rotation.ts')).deviceRotation,
  },
  'device extend': {
    summary: 'Extend the activation windows of identities.',
    load: async () => (await import('./commands/device/windows.ts')).deviceExtend,
  },
  'device windows': {
    summary: 'Print the activation windows that close next.',
    load: async () => (await import('./commands/device/windows.ts')).deviceWindows,
  },
  'notifications list': {
    summary:
      'Print the notifications of a solution, newest first, with the state of their deliveries.',
    load: async () => (await import('./commands/notifications/notifications.ts')).notificationsList,
  },
  'notifications show': {
    summary: 'Print the timeline of a notification for each of its bindings.',
    load: async () => (await import('./commands/notifications/notifications.ts')).notificationsShow,
  },
  'notifications sink': {
    summary: 'Print the messages in the local sink (channels without a provider), newest first.',
    load: async () => (await import('./commands/notifications/notifications.ts')).notificationsSink,
  },
  'notifications channels': {
    summary: 'Print the provider and the status of each notification channel of a solution.',
    load: async () =>
      (await import('./commands/notifications/notifications.ts')).notificationsChannels,
  },
  'notifications import': {
    summary: 'Import the bindings of another service, from a file or from its API.',
    load: async () => (await import('./commands/notifications/import.ts')).notificationsImport,
  },
  'solution push': {
    summary: "Replace a solution's scripts by those of a folder, all or nothing.",
    load: async () => (await import('./commands/solution/push.ts')).solutionPush,
  },
  'solution pull': {
    summary: "Write a solution's scripts and services into a folder, as they were pushed.",
    load: async () => (await import('./commands/solution/push.ts')).solutionPull,
  },
  'solution test': {
    summary: 'Run the *_test.lua files of a folder on a temporary instance.',
    load: async () => (await import('./commands/solution/test.ts')).solutionTest,
  },
  'solution dev': {
    summary: 'Push a folder at each save, and print each call of its scripts, until Ctrl-C.',
    load: async () => (await import('./commands/solution/dev.ts')).solutionDev,
  },
}
