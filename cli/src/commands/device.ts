import type { Entry } from '../command.ts'

/** The commands of the devices of connectors. */
export const deviceCommands: Readonly<Record<string, Entry>> = {
  'device list': {
    summary: 'Print the identities of a connector, last seen first.',
    load: async () => (await import('./device/devices.ts')).deviceList,
  },
  'device add': {
    summary: 'Whitelist an identity, or change what is given of one that is there.',
    load: async () => (await import('./device/add.ts')).deviceAdd,
  },
  'device export': {
    summary: 'Write the identities of a connector as CSV, which device whitelist takes.',
    load: async () => (await import('./device/export.ts')).deviceExport,
  },
  'device whitelist': {
    summary: 'Whitelist the identities of a CSV file (columns ID, TLS Client Certificate, Tags).',
    load: async () => (await import('./device/whitelist.ts')).deviceWhitelist,
  },
  'device simulate': {
    summary: 'Simulate devices on this machine that activate and write data_in over real sockets.',
    load: async () => (await import('./device/simulate.ts')).deviceSimulate,
  },
  'device state': {
    summary: 'Print the values of a device; with --set, change some first.',
    load: async () => (await import('./device/state.ts')).deviceState,
  },
  'device tags': {
    summary: 'Print the tags of an identity; with --add and --remove, change them first.',
    load: async () => (await import('./device/tags.ts')).deviceTags,
  },
  'device certificates': {
    summary: 'Print the certificates of devices that end next.',
    load: async () => (await import('./device/certificates.ts')).deviceCertificates,
  },
  'device contents': {
    summary: 'Print the contents that a device downloaded, or that a campaign offers it.',
    load: async () => (await import('./device/contents.ts')).deviceContents,
  },
  'device lock': {
    summary: 'Lock a device and close its connections.',
    load: async () => (await import('./device/lock.ts')).deviceLock,
  },
  'device unlock': {
    summary: 'Unlock a device; it keeps its credential, or activates again with --reprovision.',
    load: async () => (await import('./device/lock.ts')).deviceUnlock,
  },
  'device change': {
    summary: 'Lock, unlock, re-provision or delete all devices that match a filter.',
    load: async () => (await import('./device/change.ts')).deviceChange,
  },
  'device remove': {
    summary: 'Delete an identity with its credential and its values.',
    load: async () => (await import('./device/devices.ts')).deviceRemove,
  },
  'device reprovision': {
    summary: 'Order provisioned devices to activate again; their credentials are revoked at once.',
    load: async () => (await import('./device/lifecycle.ts')).deviceReprovision,
  },
  'device rotate': {
    summary: 'Let a device have a second credential, until it uses the new one or the window ends.',
    load: async () => (await import('./device/lifecycle.ts')).deviceRotate,
  },
  'device rotation': {
    summary: "Print the open rotation of a device's credential.",
    load: async () => (await import('./device/rotation.ts')).deviceRotation,
  },
  'device extend': {
    summary: 'Extend the activation windows of identities.',
    load: async () => (await import('./device/windows.ts')).deviceExtend,
  },
  'device windows': {
    summary: 'Print the activation windows that close next.',
    load: async () => (await import('./device/windows.ts')).deviceWindows,
  },
}
