import type { Entry } from '../command.ts'

/** The commands of solutions. */
export const solutionCommands: Readonly<Record<string, Entry>> = {
  'solution create': {
    summary: 'Create a solution, and print its id.',
    load: async () => (await import('./solution/solutions.ts')).solutionCreate,
  },
  'solution list': {
    summary: 'Print the solutions of a business, oldest first.',
    load: async () => (await import('./solution/solutions.ts')).solutionList,
  },
  'solution show': {
    summary: 'Print the limits, services and scripts of a solution.',
    load: async () => (await import('./solution/solutions.ts')).solutionShow,
  },
  'solution usage': {
    summary: 'Print what a solution uses of its limits now.',
    load: async () => (await import('./solution/solutions.ts')).solutionUsage,
  },
  'solution settings': {
    summary: 'Show the settings of a solution, or change those that a file names.',
    load: async () => (await import('./solution/solutions.ts')).solutionSettings,
  },
  'solution env': {
    summary: 'Print the variables of a solution, without their values.',
    load: async () => (await import('./solution/environment.ts')).solutionEnv,
  },
  'solution env set': {
    summary: 'Set a variable of a solution, which its scripts read with os.getenv.',
    load: async () => (await import('./solution/environment.ts')).solutionEnvSet,
  },
  'solution env remove': {
    summary: 'Remove the value of a variable of a solution.',
    load: async () => (await import('./solution/environment.ts')).solutionEnvRemove,
  },
  'solution delete': {
    summary: 'Delete a solution with its scripts, services and failures.',
    load: async () => (await import('./solution/solutions.ts')).solutionDelete,
  },
  'solution logs': {
    summary:
      'Print the log of a solution, oldest line first; with --follow, keep printing new lines.',
    load: async () => (await import('./solution/logs.ts')).solutionLogs,
  },
  'solution failures': {
    summary: 'Print the events that a solution failed to handle, newest first.',
    load: async () => (await import('./solution/failures.ts')).solutionFailures,
  },
  'solution failures discard': {
    summary: 'Delete events that a solution failed to handle: one, or all.',
    load: async () => (await import('./solution/failures.ts')).solutionFailuresDiscard,
  },
  'solution retry': {
    summary: 'Retry events that a solution failed to handle: one, or all.',
    load: async () => (await import('./solution/failures.ts')).solutionRetry,
  },
  'solution run': {
    summary: 'Run one handler now, and print its log and its result; it calls real services.',
    load: async () => (await import('./solution/run.ts')).solutionRun,
  },
  'solution replay': {
    summary: 'Run recorded events through changed scripts; calls that write are not made.',
    load: async () => (await import('./solution/replay.ts')).solutionReplay,
  },
  'solution stubs': {
    summary: 'Write what editors need to complete and check calls of services (LuaLS).',
    load: async () => (await import('./solution/stubs.ts')).solutionStubs,
  },
  'solution service add': {
    summary: 'Add a service to a solution, and print the id of its configuration.',
    load: async () => (await import('./solution/services.ts')).solutionServiceAdd,
  },
  'solution service list': {
    summary: 'Print the services of a solution.',
    load: async () => (await import('./solution/services.ts')).solutionServiceList,
  },
  'solution service show': {
    summary: 'Print the settings of a service of a solution, as JSON.',
    load: async () => (await import('./solution/services.ts')).solutionServiceShow,
  },
  'solution service settings': {
    summary: 'Print the settings of a service with their schema, and which secrets are set.',
    load: async () => (await import('./solution/services.ts')).solutionServiceSettings,
  },
  'solution service set': {
    summary: 'Change the settings of a service of a solution.',
    load: async () => (await import('./solution/services.ts')).solutionServiceSet,
  },
  'solution service remove': {
    summary: 'Remove a service from a solution; its handlers stay.',
    load: async () => (await import('./solution/services.ts')).solutionServiceRemove,
  },
  'solution push': {
    summary: "Replace a solution's scripts by those of a folder, all or nothing.",
    load: async () => (await import('./solution/push.ts')).solutionPush,
  },
  'solution new': {
    summary: 'Begin a solution in an empty folder, with tests.',
    load: async () => (await import('./solution/new.ts')).solutionNew,
  },
  'solution check': {
    summary: 'Say what of a folder does not work here, or has no effect; exit with 1 on errors.',
    load: async () => (await import('./solution/check.ts')).solutionCheck,
  },
  'solution pull': {
    summary: "Write a solution's scripts and services into a folder, as they were pushed.",
    load: async () => (await import('./solution/push.ts')).solutionPull,
  },
  'solution test': {
    summary: 'Run the *_test.lua files of a folder on a temporary instance.',
    load: async () => (await import('./solution/test.ts')).solutionTest,
  },
  'solution dev': {
    summary: 'Push a folder at each save, and print each call of its scripts, until Ctrl-C.',
    load: async () => (await import('./solution/dev.ts')).solutionDev,
  },
}
