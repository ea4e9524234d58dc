// The module with plans and estimates.

import { open } from "./module.js";

export const module = await open("plans");
