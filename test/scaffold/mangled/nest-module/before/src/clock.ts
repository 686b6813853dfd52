export class Clock {}
