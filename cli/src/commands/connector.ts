import type { Entry } from '../command.ts'

/** The commands of connectors, their certificate authorities and their contents. */
export const connectorCommands: Readonly<Record<string, Entry>> = {
  'connector create': {
    summary: 'Create a connector, and print its id and its host.',
    load: async () => (await import('./connector/connectors.ts')).connectorCreate,
  },
  'connector import': {
    summary: 'Create a connector from an exported definition, YAML or JSON.',
    load: async () => (await import('./connector/connectors.ts')).connectorImport,
  },
  'connector settings': {
    summary: 'Show the settings of a connector, or change those that a file names.',
    load: async () => (await import('./connector/connectors.ts')).connectorSettings,
  },
  'connector resources': {
    summary: 'Show the resources of a connector; with --file and --remove, change some first.',
    load: async () => (await import('./connector/resources.ts')).connectorResources,
  },
  'connector logs': {
    summary:
      'Print the log of a connector, oldest line first; with --follow, keep printing new lines.',
    load: async () => (await import('./connector/logs.ts')).connectorLogs,
  },
  'connector list': {
    summary: 'Print the connectors of a business.',
    load: async () => (await import('./connector/connectors.ts')).connectorList,
  },
  'connector addresses': {
    summary: 'Print the addresses that the devices of a connector call.',
    load: async () => (await import('./connector/addresses.ts')).connectorAddresses,
  },
  'connector delete': {
    summary:
      'Delete a connector with its settings, contents and values, and close its connections.',
    load: async () => (await import('./connector/connectors.ts')).connectorDelete,
  },
  'ca create': {
    summary: 'Create the built-in certificate authority of a connector, and print its certificate.',
    load: async () => (await import('./connector/authority.ts')).caCreate,
  },
  'ca show': {
    summary: 'Print the certificate of the built-in certificate authority of a connector.',
    load: async () => (await import('./connector/authority.ts')).caShow,
  },
  'ca crl': {
    summary: "Print the revocation list (CRL) of a connector's client CA, replace or remove it.",
    load: async () => (await import('./connector/authority.ts')).caCrl,
  },
  'campaign list': {
    summary: 'Print the campaigns of a connector, with how many devices have the content.',
    load: async () => (await import('./connector/campaigns.ts')).campaignList,
  },
  'campaign create': {
    summary: 'Begin a campaign: devices with a tag shall get a content.',
    load: async () => (await import('./connector/campaigns.ts')).campaignCreate,
  },
  'campaign remove': {
    summary: 'End a campaign; the content and what devices downloaded stay.',
    load: async () => (await import('./connector/campaigns.ts')).campaignRemove,
  },
  'content list': {
    summary: 'Print the contents that the devices of a connector may download.',
    load: async () => (await import('./connector/contents.ts')).contentList,
  },
  'content put': {
    summary: 'Upload a file that the devices of a connector may download.',
    load: async () => (await import('./connector/contents.ts')).contentPut,
  },
  'content show': {
    summary: 'Print the details of a content.',
    load: async () => (await import('./connector/contents.ts')).contentShow,
  },
  'content remove': {
    summary: 'Delete a content; downloads in progress go on.',
    load: async () => (await import('./connector/contents.ts')).contentRemove,
  },
}
