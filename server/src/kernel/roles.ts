/**
 * The roles that a process may have; every process may have all.
 * - device: answers devices, over HTTP and MQTT
 * - worker: reads the log, runs jobs and timers, sends notifications, removes what is old
 * - api: answers the console, the management API, GraphQL, and the endpoints of solutions
 */
export const processRoles = ['device', 'worker', 'api'] as const

export type ProcessRole = (typeof processRoles)[number]
