export { createDoor, type Door, type DoorOptions } from './http/server.ts'
export { createMqttDoor, type MqttDoor, type MqttDoorOptions } from './mqtt/server.ts'
export type { PresenceWanted } from './presence.ts'
