export {
  createDeviceHttp as createDoor,
  type DeviceHttp as Door,
  type DeviceHttpOptions as DoorOptions,
} from './http/server.ts'
export {
  createDeviceMqtt as createMqttDoor,
  type DeviceMqtt as MqttDoor,
  type DeviceMqttOptions as MqttDoorOptions,
} from './mqtt/server.ts'
export type { PresenceWanted } from './presence.ts'
