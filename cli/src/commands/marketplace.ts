import type { Entry } from '../command.ts'

/** The commands of insight modules: listings, the modules of a business, and failed calls. */
export const marketplaceCommands: Readonly<Record<string, Entry>> = {
  'listing publish': {
    summary: 'Publish an insight module by its OpenAPI 2.0 definition, and print its id.',
    load: async () => (await import('./listings.ts')).listingPublish,
  },
  'listing list': {
    summary: 'Print the listings of a business and the public ones, oldest first.',
    load: async () => (await import('./listings.ts')).listingList,
  },
  'listing show': {
    summary: 'Print a listing with its parameters, its problems and its definition.',
    load: async () => (await import('./listings.ts')).listingShow,
  },
  'listing change': {
    summary: 'Change a listing: its host, its definition, its name or who may use it.',
    load: async () => (await import('./listings.ts')).listingChange,
  },
  'listing remove': {
    summary: 'Remove a listing that no module uses.',
    load: async () => (await import('./listings.ts')).listingRemove,
  },
  'module add': {
    summary: 'Use an insight module, by its address or a listing, and print its id.',
    load: async () => (await import('./modules.ts')).moduleAdd,
  },
  'module list': {
    summary: 'Print the insight modules of a business, the built-in one first.',
    load: async () => (await import('./modules.ts')).moduleList,
  },
  'module show': {
    summary: 'Print an insight module with its parameters, its health and all complaints.',
    load: async () => (await import('./modules.ts')).moduleShow,
  },
  'module address': {
    summary: 'Ask whether the instance may call an insight module at a URL.',
    load: async () => (await import('./module-address.ts')).moduleAddress,
  },
  'module configure': {
    summary: 'Change the name or the parameters of an insight module.',
    load: async () => (await import('./modules.ts')).moduleConfigure,
  },
  'module move': {
    summary: 'Move an insight module to another host; its links go on there.',
    load: async () => (await import('./modules.ts')).moduleMove,
  },
  'module check': {
    summary: 'Call an insight module, and print all that is wrong with it.',
    load: async () => (await import('./modules.ts')).moduleCheck,
  },
  'module refresh': {
    summary: 'Read an insight module again: its definition, what it is, and its functions.',
    load: async () => (await import('./modules.ts')).moduleRefresh,
  },
  'module remove': {
    summary: 'Remove an insight module that no link uses, or with its links.',
    load: async () => (await import('./modules.ts')).moduleRemove,
  },
  'module failures': {
    summary: 'Print the calls of functions that failed, newest first.',
    load: async () => (await import('./failed-calls.ts')).moduleFailures,
  },
  'module failures discard': {
    summary: 'Delete calls of functions that failed: one, or all.',
    load: async () => (await import('./failed-calls.ts')).moduleFailuresDiscard,
  },
  'module correct': {
    summary: 'Replace the data of a call that failed, without making it again.',
    load: async () => (await import('./failed-calls.ts')).moduleCorrect,
  },
  'module retry': {
    summary: 'Make calls of functions that failed again: one, or all.',
    load: async () => (await import('./failed-calls.ts')).moduleRetry,
  },
}
