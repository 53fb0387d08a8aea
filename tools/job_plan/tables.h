// The plan of a job as text. Local.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace job_plan {

// `plan`: what scorpio_job_plan() returns. `file` and `form`: what was read.
std::string tables_of(const nlohmann::ordered_json& plan, const std::string& file, const std::string& form);

}  // namespace job_plan
