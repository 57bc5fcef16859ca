export { createDoor, type Door, type DoorOptions } from './door.ts'
export { createMqttDoor, type MqttDoor, type MqttDoorOptions } from './mqtt/door.ts'
export type { PresenceWanted } from './presence.ts'
