export { createDoor, type Door, type DoorOptions } from './door.ts'
