// The filter zfp: its parameters, and the values that an HDF5 file stores for it. These are a word with
// versions and zfp's own header, which has the type and the extents of a chunk and the mode; the chunks have
// no header. Local; pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "model/element_type.h"

namespace scorpio::codec {

// The parameters: 1 to 63 is the number of bits of mode precision.
inline constexpr int k_zfp_other = 0;  // a mode of another program, which cannot be defined here
inline constexpr int k_zfp_most_precision = 63;
inline constexpr int k_zfp_reversible = 100;
// Mode accuracy: this + the exponent of the tolerance, which is a power of two.
inline constexpr int k_zfp_accuracy = 2000;
inline constexpr int k_zfp_least_exponent = -1074;
inline constexpr int k_zfp_most_exponent = 1023;

// Of mode accuracy with the largest tolerance that does not exceed `bound`; Code::argument if `bound` is not
// a positive finite number.
Result<int> zfp_parameter_for(double bound);
// The tolerance of mode accuracy; 0 for other modes.
double zfp_tolerance(int parameter);

// The values for chunks of this shape. Extents of 1 are left out, and the slowest ones are joined until zfp
// can have the rest: four of at most 4096, three of at most 65536, or two of at most 2^24. Code::unsupported
// if zfp is not built in, Code::type for elements that zfp does not encode, Code::argument for an unknown
// parameter.
Result<std::vector<unsigned>> zfp_header(int parameter, const model::ElementType& type,
                                         std::span<const int64_t> chunk);
// Code::format if these are no values of zfp for elements of this size, or if blocks are padded to more bits
// than they can need.
Status check_zfp_header(std::span<const unsigned> values, uint32_t element_bytes);
// The parameter to which the values belong.
int zfp_parameter(std::span<const unsigned> values);

}  // namespace scorpio::codec
