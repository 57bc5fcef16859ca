export { endEngineNow } from './at-once.ts'
export { type Engine, type EngineOptions, refuseUsed, startEngine } from './engine.ts'
export { newDirectory } from './place.ts'
export { worksOn } from './processes.ts'
